-- Operations that fail because an operand is nil.
local calls = require "phial_lint.calls"
local Facts = require "phial_lint.facts"
local fields = require "phial_lint.fields"
local kinds = require "phial_lint.kinds"
local luacheck = require("phial.source.luacheck").require
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

-- The table and the field of a function of `io` or `os` that a call calls; nil for others.
local function of_system(program, call)
  local _, name = program:callee(calls.node(call))
  local object, key = (name or ""):match "^(%l%l)%.([^.]+)$"
  if object == "io" or object == "os" then return object, key end
end

-- True if a program calls a function of `io` or `os` that no Lua has, and that it does not set:
-- these are tables of what runs it, so nothing is known of what the others return.
local function has_other_system(facts)
  local std = luacheck "luacheck.builtin_standards".max.read_globals
  for _, f in ipairs(facts.program:functions()) do
    for _, call in ipairs(parts.of(f).calls) do
      local object, key = of_system(facts.program, call)
      local is_other = object and not std[object].fields[key]
      if is_other and facts:assigned_to(key) == 0 then return true end
    end
  end
  return false
end

-- The name of an object and the key, of a field of a variable.
local function field_of(node)
  if node and node.tag == "Index" and node[1].tag == "Id" and node[2].tag == "String" then
    return node[1][1], node[2][1]
  end
end

-- True if a use is in the branch where a test fails, or after it where the other branch leaves.
local function is_in_branch(use, at)
  local block = at.test:block()
  if block:terminator():arg(1) ~= at.test then return true end
  local failed = block:succs()[at.holds and 1 or 2]
  for _, pred in ipairs(failed:preds()) do
    if pred:terminator():op() ~= "branch" then return false end
  end
  return failed:dominates(use:block())
end

-- True if what a test finds nil is the `self` of a method, or a field of it to which the file gives
-- values, but never nil, and the use is not where the test fails: it may be needless.
local function is_weak(file, use, at)
  local node = names.node(at.test) or {}
  if node.tag == "Op" then node = node[2] end
  local v = node.tag == "Id" and file.program:variable(node)
  if v and v.node.implicit then return true end
  local object, key = field_of(node)
  local op = Facts.origin((file.facts:implied(at.test, at.holds))):op()
  if object ~= "self" or op ~= "lua.unknown" and op ~= "may" then return false end
  local set = file.facts:assigned_to(key)
  return set ~= 0 and set & kinds.NIL == 0 and not is_in_branch(use, at)
end

-- True if a call loads a text that the program puts together: it is meant to be Lua.
local function loads_own_text(program, call)
  local _, name = program:callee(calls.node(call))
  local text = (name == "load" or name == "loadstring") and call:arg(2)
  return text and Facts.origin(text):op() == "lua.concat"
end

-- True if the library returns nil, or a test finds it, and no other one has to go the same way.
local function is_likely(file, use, path)
  local reason, program = path.reason, file.program
  local op = reason:op()
  if op == "lua.call" then
    if of_system(program, reason) then return not has_other_system(file.facts) end
    return not calls.callee(program, Facts.node(reason)) and not loads_own_text(program, reason)
  end
  local one, more = path.tests[1], path.tests[2]
  return op ~= "copy" and op ~= "phi" and op ~= "lua.item" and not more
    and not (one and is_weak(file, use, one))
end

local function report(file, use, i, path, is_always)
  local node, reports = names.operand(use, i), file.reports
  local code = (is_always or is_likely(file, use, path)) and "711" or "712"
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

-- Reports the operands of an instruction for which there is a path.
local function check(file, search, solution, use, told, seen)
  for i = 1, search.failing[use] or 0 do
    local value = use:arg(i)
    local is_suspect = value and search.suspects[value] and solution:is_taken(use:block())
      and not is_repeated(file, use, value, seen)
    local path = is_suspect and not is_direct(file.facts, value) and search:find(use, value)
    if path and not told[path.reason] and not is_set(file, use, i, path) then
      told[path.reason] = true
      report(file, use, i, path, solution:fact(value) == kinds.NIL)
    end
  end
end

return function(file)
  for _, f in ipairs(file.program:functions()) do
    local search = paths.of(file.facts, f)
    local solution, told, seen = file.facts.solutions[f], {}, {}
    for _, use in ipairs(parts.of(f).uses) do check(file, search, solution, use, told, seen) end
    if search.left < 0 then table.insert(file.reports.unsearched, f.name) end
  end
end
