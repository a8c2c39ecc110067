-- The procedure that a command calls: found by its name, with arguments from words.
local mangle = require "tinylang.mangle"

local M = {}

local SHOWN = { [true] = "TRUE", [false] = "FALSE" }
local BOOLEANS = { TRUE = true, FALSE = false }

--- The procedure of a name, `Module.Proc` or mangled, that a command can call. The name of
--- a module is that of its initialiser.
---@param program tinylang.Program
---@param path string
---@return tinylang.Symbol?
---@return string? why
function M.procedure(program, path)
  local symbol = program.procedures[mangle.path(path)]
  if not symbol then return nil, ("no procedure is called '%s'"):format(path) end
  for _, parameter in ipairs(symbol.parameters or {}) do
    if parameter.by_reference then
      return nil, ("%s: parameter '%s' is VAR: a command has no variable for it"):format(path,
        parameter.name)
    end
  end
  return symbol
end

--- The parameters of a procedure; a module has none.
---@param symbol tinylang.Symbol
---@return tinylang.Symbol[]
function M.parameters(symbol) return symbol.parameters or {} end

local function value(word, type)
  if type == "BOOLEAN" then return BOOLEANS[word] end
  return word:find "^[+-]?%d+$" and math.tointeger(tonumber(word)) or nil
end

--- The values of words as arguments.
---@param symbol tinylang.Symbol
---@param words string[]
---@return (integer|boolean)[]?
---@return string? why
function M.arguments(symbol, words)
  local parameters, values = M.parameters(symbol), {}
  if #words ~= #parameters then
    return nil, ("wrong number of arguments to '%s' (%d expected, got %d)"):format(symbol.name,
      #parameters, #words)
  end
  for i, parameter in ipairs(parameters) do
    values[i] = value(words[i], parameter.type)
    if values[i] == nil then
      return nil, ("argument '%s' of '%s' is not of type %s: %s"):format(parameter.name,
        symbol.name, parameter.type, words[i])
    end
  end
  return values
end

--- A result as text.
---@param result integer|boolean
---@return string
function M.shown(result) return SHOWN[result] or tostring(result) end

return M
