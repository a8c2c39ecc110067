-- What the functions and globals of a module use that it does not have: functions of Lua,
-- and symbols of other modules. Its text declares the functions, and defines the globals
-- as internal ones: running the module, or writing it in C, gives it its own, too.
local core = require "phial.core"
local errors = require "phial.errors"
local global = require "phial.module.global"

local M = {}

---@class phial.module.Outside
---@field globals phial.Global[] in the order in which they are reached
---@field callees {name: string, fn: phial.Function?}[] the same; fn: the only meaning of the name

--- What an instruction refers to, unless that is a name, with the name that the text has for
--- it; nil if it refers to nothing.
---@param v phial.Value
---@return any
---@return string?
function M.reference(v)
  local op = v:op()
  if op ~= "call" and op ~= "address" then return nil end
  local data = v:data()
  if data == nil or type(data) == "string" then return nil end
  return data, core.symbol(v)
end

--- True for a function of phial that is not closed.
---@param it any
---@return boolean
function M.is_function(it)
  return errors.class(it) == "phial.Function" and core.is_usable(it)
end

-- Adds what has a name.
local function add(found, it, name)
  if found.symbols[name] or found.seen[it] then return end
  found.seen[it] = true
  if global.is(it) then
    found.globals[#found.globals + 1] = it
    return
  end
  local fn = M.is_function(it) and it or nil
  local known = found.by_name[name]
  if known then
    known.fn = nil
  else
    known = { name = name, fn = fn }
    found.by_name[name] = known
    found.callees[#found.callees + 1] = known
  end
end

-- Adds what a global has the address of.
local function add_initial(found, g)
  local it = g:type() == "ptr" and g:initial()
  if type(it) == "string" then it = g:module():get(it) end
  if it then add(found, it, it:name()) end
end

--- Finds all.
---@param state phial.module.State
---@return phial.module.Outside
function M.find(state)
  local found = { symbols = state.symbols, seen = {}, by_name = {}, globals = {}, callees = {} }
  for _, g in ipairs(state.globals:all()) do add_initial(found, g) end
  for _, fn in ipairs(state.functions:all()) do
    for v in fn:values() do
      local it, name = M.reference(v)
      if it and name then add(found, it, name) end
    end
  end
  local i = 1
  while found.globals[i] do
    add_initial(found, found.globals[i])
    i = i + 1
  end
  return found
end

return M
