-- How much says that a use of nil can happen: it is W711, or W712. Of what is W712 here, one report
-- of five or more was wrong, of each kind, among those that people have judged.
local calls = require "phial_lint.calls"
local Facts = require "phial_lint.facts"
local luacheck = require("phial.source.luacheck").require
local names = require "phial_lint.names"
local parts = require "phial_lint.parts"
local texts = require "phial_lint.texts"

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

-- Where control goes if a test on a path fails, if no other way leads there.
local function failed_block(at)
  local block = at.test:block()
  if block:terminator():arg(1) ~= at.test then return nil end
  local failed = block:succs()[at.holds and 1 or 2]
  return not failed:preds()[2] and failed or nil
end

-- True if the program calls something where a test fails, and goes on: that may end it, or make
-- a value.
local function sees_to_it(f, failed)
  for _, call in ipairs(parts.of(f).calls) do
    if failed:dominates(call:block()) then return true end
  end
  return false
end

-- True if a value is what `a and b` gives.
local function is_conjunction(value)
  local node = names.node(Facts.origin(value))
  return node and node.tag == "Op" and node[1] == "and"
end

local MADE <const> = { ["lua.newtable"] = true, ["lua.closure"] = true, ["lua.concat"] = true }

-- True if a value is a parameter, and all calls in the file give for it what is written there.
local function is_given(file, value)
  local list = value:op() == "param" and texts.given(file.facts, value) or {}
  for _, given in ipairs(list) do
    given = Facts.origin(given)
    local from = given:op() == "copy" and given:arg(1) or given
    if not MADE[from:op()] and (from:const() == nil) then return false end
  end
  return list[1] ~= nil
end

-- True if what a test finds nil is a method's `self`; or if the use is not where the test fails and
-- the test is of a field, a global, or what other functions have, too, or decides what `a and b`
-- is, or is followed by a call where it fails, or calls give something: it may be needless.
local function is_weak(file, f, use, value, at)
  local node = names.node(at.test) or {}
  if node.tag == "Op" then node = node[2] end
  local v = node.tag == "Id" and file.program:variable(node)
  if v and v.node.implicit then return true end
  local failed = failed_block(at)
  if failed and failed:dominates(use:block()) then return false end
  local subject = Facts.origin((file.facts:implied(at.test, at.holds)))
  if is_given(file, subject) then return true end
  return not v or v.owner ~= f or is_conjunction(value) or failed and sees_to_it(f, failed) or false
end

-- }=====================================================================

--- True if the library returns nil, or a test finds it, and no other one has to go the same way.
---@param file lint.File
---@param f phial.source.Function of the use
---@param use phial.Value
---@param value phial.Value its operand that may be nil
---@param path lint.Path
---@return boolean
return function(file, f, use, value, path)
  local op = path.reason:op()
  if op == "lua.call" then return can_fail(file, path.reason) end
  local one, more = path.tests[1], path.tests[2]
  return op ~= "copy" and op ~= "phi" and op ~= "lua.item" and not more
    and not (one and is_weak(file, f, use, value, one))
end
