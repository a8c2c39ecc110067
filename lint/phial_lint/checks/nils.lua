-- Operations that fail because an operand is nil.
local calls = require "phial_lint.calls"
local evidence = require "phial_lint.evidence"
local Facts = require "phial_lint.facts"
local fields = require "phial_lint.fields"
local kinds = require "phial_lint.kinds"
local names = require "phial_lint.names"
local parts = require "phial_lint.parts"
local paths = require "phial_lint.paths"

local DONE <const> = {
  ["lua.index"] = "indexed", ["lua.setindex"] = "indexed", ["lua.call"] = "called",
  ["lua.callall"] = "called", ["lua.callnone"] = "called",
}
-- True if a function returns what a loop finds, and nothing at its end.
local function seeks(f)
  local has_end, has_found = false, false
  for _, terminator in ipairs(parts.of(f).returns) do
    local op, pred = terminator:op(), terminator:block():preds()[1]
    has_end = has_end or op == "ret"
    has_found = has_found or op == "lua.return" and pred and pred:loop_header() ~= nil
  end
  return has_end and has_found
end

-- True if what a function of the library, or one that seeks, returns is used without a name, as in
-- `tonumber(x) + 1`: nothing could test it, so it is meant not to be nil.
local function is_direct(facts, value)
  if value:op() ~= "lua.call" then return false end
  local f = facts.program:callee(facts.node(value))
  return not f or seeks(f)
end

-- The name of an object and the key, of a field of a variable.
local function field_of(node)
  if node and node.tag == "Index" and node[1].tag == "Id" and node[2].tag == "String" then
    return node[1][1], node[2][1]
  end
end

local function report(file, f, use, i, path, is_always)
  local node, reports = names.operand(use, i), file.reports
  local code = (is_always or evidence(file, f, use, path)) and "711" or "712"
  local it = reports:add(node, code, "%s %s nil where it is %s", names.text(node),
    is_always and "is" or "may be", DONE[use:op()] or "an operand")
  reports:step(it, names.node(path.reason), names.reason(path.reason))
  for _, at in ipairs(path.tests) do names.step(reports, it, at.test, at.holds) end
end

-- True if a test on a path finds a field with which the one that is used is always set.
local function is_set(file, use, i, path)
  local object, field = field_of(names.operand(use, i))
  for _, at in ipairs(field and path.tests or {}) do
    local subject, set = file.facts:implied(at.test, at.holds)
    local base, other = field_of(names.node(subject))
    local is_there = base == object and other ~= field and set & kinds.FALSY == 0
    if is_there and fields.is_set_with(file.program, field, other) then return true end
  end
  return false
end

-- True if an operand is what a function of the file returns, and a use before, on all paths, fails
-- if such a call returns nil; notes the call of a use.
local function is_repeated(file, use, value, seen)
  local call = Facts.origin(value)
  local f = call:op() == "lua.call" and calls.callee(file.program, Facts.node(call))
  if not f then return false end
  local list = seen[f] or {}
  seen[f] = list
  for _, earlier in ipairs(list) do
    local is_before = earlier.block:dominates(use:block())
    if is_before and Facts.is_same(earlier.call, call) then return true end
  end
  list[#list + 1] = { call = call, block = use:block() }
  return false
end

-- Reports those of the first n operands of an instruction for which there is a path.
local function check(file, f, search, use, n, told, seen)
  local solution = search.solution
  for i = 1, n do
    local value = use:arg(i)
    local is_suspect = value and search.suspects[value] and solution:is_taken(use:block())
      and not is_repeated(file, use, value, seen)
    local path = is_suspect and not is_direct(file.facts, value) and search:find(use, value)
    if path and not told[path.reason] and not is_set(file, use, i, path) then
      told[path.reason] = true
      report(file, f, use, i, path, solution:fact(value) == kinds.NIL)
    end
  end
end

return function(file)
  for _, f in ipairs(file.program:functions()) do
    local search = paths.of(file.facts, f)
    local told, seen = {}, {}
    for _, use in ipairs(parts.of(f).uses) do
      local n = search.failing[use]
      if n then check(file, f, search, use, n, told, seen) end
    end
    if search.left < 0 then table.insert(file.reports.unsearched, f.name) end
  end
end
