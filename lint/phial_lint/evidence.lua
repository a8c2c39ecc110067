-- How much says that a use of nil can happen: it is W711, or W712. Of what is W712 here, one report
-- of five or more was wrong, of each kind, among those that people have judged.
local calls = require "phial_lint.calls"
local Facts = require "phial_lint.facts"
local kinds = require "phial_lint.kinds"
local luacheck = require("phial.source.luacheck").require
local names = require "phial_lint.names"
local parts = require "phial_lint.parts"

-- {== Calls ===========================================================

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

-- True if a call loads a text that the program puts together: it is meant to be Lua.
local function loads_own_text(program, call)
  local _, name = program:callee(calls.node(call))
  local text = (name == "load" or name == "loadstring") and call:arg(2)
  return text and Facts.origin(text):op() == "lua.concat"
end

-- True if a call opens a file to read whose name an unknown function gives: it may know the file.
local function reads_known(program, call)
  local _, key = of_system(program, call)
  local path, mode = call:arg(2), call:arg(3)
  local given = key == "open" and path and Facts.origin(path)
  if not given or not parts.CALLS[given:op()] then return false end
  mode = mode and Facts.origin(mode)
  if mode and mode:op() == "copy" then mode = mode:arg(1) end
  local is_read = not mode or tostring(mode:const()):find "^r[b]?$"
  local f, effects = calls.callee(program, Facts.node(given))
  return is_read and not f and not effects
end

-- True if it is likely that a call returns nil: the library says so, not a function of the file.
local function can_fail(file, call)
  local program = file.program
  if of_system(program, call) then
    return not has_other_system(file.facts) and not reads_known(program, call)
  end
  return not calls.callee(program, Facts.node(call)) and not loads_own_text(program, call)
end

-- }== Tests ===========================================================

-- Where control goes if a test on a path fails.
local function failed_block(at)
  local block = at.test:block()
  return block:terminator():arg(1) == at.test and block:succs()[at.holds and 1 or 2] or nil
end

-- True if other tests lead to a block, as in the else of `if a and b`, or if none does.
local function is_of_tests(block)
  for _, pred in ipairs(block:preds()) do
    if pred:terminator():op() ~= "branch" then return false end
  end
  return true
end

-- True if the program has something else where a test fails, such as 0 in `x or 0`.
local function has_default(file, f, failed)
  local join, solution = failed:succs()[1], file.facts.solutions[f]
  for _, phi in ipairs(join and not failed:preds()[2] and join:phis() or {}) do
    local node = names.node(phi) or {}
    for n, pred in ipairs(join:preds()) do
      local is_default = pred == failed and node.tag == "Op" and node[1] == "or"
      if is_default and solution:fact(phi:arg(n)) & (kinds.NIL | kinds.UNKNOWN) == 0 then
        return true
      end
    end
  end
  return false
end

-- True if a test may be needless: of a method's `self`; and where it has no default, if the use is
-- not where it fails, or where other tests lead, too, unless it is of a variable of the function.
local function is_weak(file, f, use, at)
  local node = names.node(at.test) or {}
  if node.tag == "Op" then node = node[2] end
  local v, failed = node.tag == "Id" and file.program:variable(node), failed_block(at)
  if v and v.node.implicit then return true end
  if not failed or has_default(file, f, failed) then return not failed end
  if not failed:dominates(use:block()) then return true end
  return failed:preds()[2] ~= nil and not (v and v.owner == f and is_of_tests(failed))
end

-- }=====================================================================

--- True if the library returns nil, or a test finds it, and no other one has to go the same way.
---@param file lint.File
---@param f phial.source.Function of the use
---@param use phial.Value
---@param path lint.Path
---@return boolean
return function(file, f, use, path)
  local op = path.reason:op()
  if op == "lua.call" then return can_fail(file, path.reason) end
  local one, more = path.tests[1], path.tests[2]
  return op ~= "copy" and op ~= "phi" and op ~= "lua.item" and not more
    and not (one and is_weak(file, f, use, one))
end
