-- How much says that a use of nil can happen: it is W711, or W712. Of what is W712 here, one report
-- of five or more was wrong, of each kind, among those that people have judged.
local calls = require "phial_lint.calls"
local Facts = require "phial_lint.facts"
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

local others = setmetatable({}, { __mode = "k" }) -- by facts: the answers of has_other_system

-- True if a call loads a text that the program puts together: it is meant to be Lua.
local function loads_own_text(program, call)
  local _, name = program:callee(calls.node(call))
  local text = (name == "load" or name == "loadstring") and call:arg(2)
  return text and Facts.origin(text):op() == "lua.concat"
end

-- True if a call opens a file to read whose name an unknown function gives, or lists, or was asked
-- about: the file is likely to be there.
local function reads_known(file, f, call)
  local _, key = of_system(file.program, call)
  local path, mode = call:arg(2), call:arg(3)
  if key ~= "open" or not path then return false end
  mode = mode and Facts.origin(mode)
  if mode and mode:op() == "copy" then mode = mode:arg(1) end
  if mode and not tostring(mode:const()):find "^r" then return false end
  local given = Facts.origin(path)
  local list = given:op() == "lua.item" and file.facts:iterated(given:arg(1))
  if list then given = Facts.origin(list) end
  if parts.CALLS[given:op()] then
    local callee, effects = calls.callee(file.program, Facts.node(given))
    if not callee and not effects then return true end
  end
  return file.facts:is_asked_about(file.facts.solutions[f], call:block(), path)
end

-- True if it is likely that a call returns nil: the library says so, not a function of the file.
local function can_fail(file, f, call)
  local program = file.program
  if of_system(program, call) then
    if others[file.facts] == nil then others[file.facts] = has_other_system(file.facts) end
    return not others[file.facts] and not reads_known(file, f, call)
  end
  return not calls.callee(program, Facts.node(call)) and not loads_own_text(program, call)
end

-- }== Tests ===========================================================

-- True if a use is where a test on a path fails, and no other way leads there, and the test is not
-- of a method's `self`. All other tests may be needless.
local function is_where_it_fails(file, use, at)
  local node, block = names.node(at.test) or {}, at.test:block()
  if node.tag == "Op" then node = node[2] end
  local v = node.tag == "Id" and file.program:variable(node)
  if v and v.node.implicit or block:terminator():arg(1) ~= at.test then return false end
  local failed = block:succs()[at.holds and 1 or 2]
  return not failed:preds()[2] and failed:dominates(use:block())
end

-- }=====================================================================

--- True if the library returns nil, or a test finds it where it fails, and no other one has to go
--- the same way.
---@param file lint.File
---@param f phial.source.Function of the use
---@param use phial.Value
---@param path lint.Path
---@return boolean
return function(file, f, use, path)
  local op = path.reason:op()
  if op == "lua.call" then return can_fail(file, f, path.reason) end
  local one, more = path.tests[1], path.tests[2]
  return op ~= "copy" and op ~= "phi" and op ~= "lua.item" and one ~= nil and not more
    and is_where_it_fails(file, use, one)
end
