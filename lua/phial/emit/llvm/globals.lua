-- Globals of modules: their definitions.
local Names = require "phial.emit.llvm.names"
local types = require "phial.emit.llvm.types"

local M = {}

--- The type of a global's memory in LLVM.
---@param symbols phial.emit.llvm.Symbols
---@param g phial.Global
---@return string
function M.type(symbols, g)
  local type = g:type()
  if not type then return ("[%d x i8]"):format(g:size()) end
  return type == "i1" and "i8" or symbols:type(type)
end

local function initial(symbols, g)
  local type, value = g:type(), g:initial()
  if value == nil then return "zeroinitializer" end
  if not type then return ('c"%s"'):format(Names.escaped(g:bytes())) end
  if type == "ptr" then
    local named = _G.type(value) == "string" and g:module():get(value)
    return symbols:address(named or value)
  end
  if type == "i1" then return value and "1" or "0" end
  return types.constant(type, value)
end

--- The definition of a global.
---@param symbols phial.emit.llvm.Symbols
---@param g phial.Global
---@return string
function M.define(symbols, g)
  return ("@%s = %s%s %s %s, align %d"):format(Names.quoted(symbols:of(g)), symbols:linkage(g),
    g:is_constant() and "constant" or "global", M.type(symbols, g), initial(symbols, g), g:align())
end

return M
