-- Globals of modules: their definitions. They are accessed through pointers to bytes.
local names = require "phial.emit.c.names"
local types = require "phial.emit.c.types"

local M = {}

-- The initial bytes of a global that was made by its size: a string if one more byte,
-- its end, has room.
local function bytes(g)
  local text = g:initial()
  if #text < g:size() then return names.quoted(text) end
  local list = {}
  for i = 1, #text do list[i] = text:byte(i) end
  return ("{ %s }"):format(table.concat(list, ", "))
end

-- The bits of a float as an integer: not every float has a constant expression.
local BITS = { f32 = "i32", f64 = "i64" }

local function bits(type, value)
  local format = type == "f32" and "<f" or "<d"
  return (string.unpack(type == "f32" and "<i4" or "<i8", string.pack(format, value)))
end

local function initial(symbols, g)
  local type, value = g:type(), g:initial()
  if value == nil then return "" end
  if not type then return " = " .. bytes(g) end
  if type == "ptr" then
    local named = _G.type(value) == "string" and g:module():get(value) or value
    return " = " .. symbols:address(named)
  end
  if type == "i1" then return value and " = 1" or " = 0" end
  if BITS[type] then type, value = BITS[type], bits(type, value) end
  return " = " .. types.unsigned(type, value)
end

-- The declaration without the initial value. Floats are kept as their bits, an i1 as a
-- byte.
local function declaration(symbols, g)
  local c_name, type = symbols:of(g), g:type()
  local text = type and types.declared(BITS[type] or type == "i1" and "i8" or type, c_name)
    or ("uint8_t %s[%d]"):format(c_name, g:size())
  if g:is_constant() then
    text = type == "ptr" and text:gsub("%*", "*const ") or "const " .. text
  end
  local align = not type and 1 or types.size(type)
  if g:align() > align then text = ("_Alignas(%d) %s"):format(g:align(), text) end
  return text
end

--- The definition of a global, and a declaration that may come before it.
---@param symbols phial.emit.c.Symbols
---@param g phial.Global
---@return string definition
---@return string declaration
function M.define(symbols, g)
  local storage, text = symbols:storage(g), declaration(symbols, g)
  local before = (storage == "" and "extern " or storage) .. text .. symbols:label(g) .. ";"
  return storage .. text .. initial(symbols, g) .. ";", before
end

return M
