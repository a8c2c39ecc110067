-- Operations that fail because an operand is nil.
local Facts = require "phial_lint.facts"
local fields = require "phial_lint.fields"
local kinds = require "phial_lint.kinds"
local names = require "phial_lint.names"
local paths = require "phial_lint.paths"

local DONE <const> = {
  ["lua.index"] = "indexed", ["lua.setindex"] = "indexed", ["lua.call"] = "called",
  ["lua.callall"] = "called", ["lua.callnone"] = "called",
}
-- True if what a function of the library returns is used without a name, as in `tonumber(x) + 1`:
-- nothing could test it, so it is meant not to be nil.
local function is_direct(facts, value)
  return value:op() == "lua.call" and not facts.program:callee(facts.node(value))
end

local function report(file, use, i, path, is_always)
  local node, reports = names.operand(use, i), file.reports
  local it = reports:add(node, "711", "%s %s nil where it is %s", names.text(node),
    is_always and "is" or "may be", DONE[use:op()] or "an operand")
  reports:step(it, names.node(path.reason), names.reason(path.reason))
  for _, at in ipairs(path.tests) do names.step(reports, it, at.test, at.holds) end
end

-- The name of an object and the key, of a field of a variable.
local function field_of(node)
  if node and node.tag == "Index" and node[1].tag == "Id" and node[2].tag == "String" then
    return node[1][1], node[2][1]
  end
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

-- What a value was before calls that may have changed it.
local function before_calls(value)
  value = Facts.origin(value)
  return value:op() == "may" and before_calls(value:arg(1)) or value
end

-- True if two values are the same one, or are computed alike of the same ones, also by calls.
local function is_same(a, b)
  a, b = before_calls(a), before_calls(b)
  local op, others = a:op(), b:args()
  if a == b then return true end
  if op ~= b:op() or #others ~= #a:args() then return false end
  if op == "const" then return a:const() == b:const() end
  if op ~= "lua.index" and op ~= "lua.call" then return false end
  for i, arg in ipairs(a:args()) do
    if not is_same(arg, others[i]) then return false end
  end
  return true
end

-- True if an operand is what a function of the file returns, and a use before, on all paths, fails
-- if such a call returns nil; notes the call of a use.
local function is_repeated(file, use, value, calls)
  local call = Facts.origin(value)
  local f = call:op() == "lua.call" and Facts.callee(file.program, Facts.node(call))
  if not f then return false end
  local list = calls[f] or {}
  calls[f] = list
  for _, earlier in ipairs(list) do
    if earlier.block:dominates(use:block()) and is_same(earlier.call, call) then return true end
  end
  list[#list + 1] = { call = call, block = use:block() }
  return false
end

-- Reports the operands of an instruction for which there is a path.
local function check(file, search, solution, use, told, calls)
  for i = 1, paths.COUNTS[use:op()] do
    local value = use:arg(i)
    local is_suspect = value and search.suspects[value] and solution:is_taken(use:block())
      and not is_repeated(file, use, value, calls)
    local path = is_suspect and not is_direct(file.facts, value) and search:find(use, value)
    if path and not told[path.reason] and not is_set(file, use, i, path) then
      told[path.reason] = true
      report(file, use, i, path, solution:fact(value) == kinds.NIL)
    end
  end
end

return function(file)
  for _, f in ipairs(file.program:functions()) do
    local search, uses = paths.of(file.facts, f)
    local solution, told, calls = file.facts.solutions[f], {}, {}
    for _, use in ipairs(uses) do check(file, search, solution, use, told, calls) end
    if search.left < 0 then table.insert(file.reports.unsearched, f.name) end
  end
end
