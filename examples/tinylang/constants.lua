-- What operations on constants result in. All of INTEGER is 64 bits and wraps around;
-- DIV rounds towards zero, and MOD has the sign of the left operand.
local M = {}

M.INTEGER, M.BOOLEAN = "INTEGER", "BOOLEAN"

local binary = {
  ["+"] = function(a, b) return a + b end,
  ["-"] = function(a, b) return a - b end,
  ["*"] = function(a, b) return a * b end,
  ["="] = function(a, b) return a == b end,
  ["#"] = function(a, b) return a ~= b end,
  ["<"] = function(a, b) return a < b end,
  ["<="] = function(a, b) return a <= b end,
  [">"] = function(a, b) return a > b end,
  [">="] = function(a, b) return a >= b end,
  AND = function(a, b) return a and b end,
  OR = function(a, b) return a or b end,
}

function binary.DIV(a, b)
  if b == 0 then return nil, "division by zero" end
  if a == math.mininteger and b == -1 then return nil, "the quotient does not fit in 64 bits" end
  local quotient = a // b
  if quotient < 0 and quotient * b ~= a then quotient = quotient + 1 end
  return quotient
end

function binary.MOD(a, b)
  if b == 0 then return nil, "division by zero" end
  return math.fmod(a, b)
end

--- The value of a binary operation; nil and the reason if it has none.
---@param op string
---@param a integer|boolean
---@param b integer|boolean
---@return integer|boolean|nil
---@return string? why
function M.binary(op, a, b) return binary[op](a, b) end

--- The types of the operands and of the result; `=` and `#` compare both types.
---@param op string
---@return string? operands nil: any, but the same
---@return string? result
function M.types(op)
  if op == "AND" or op == "OR" then return M.BOOLEAN, M.BOOLEAN end
  if op == "=" or op == "#" then return nil, M.BOOLEAN end
  if op:find "^[<>]" then return M.INTEGER, M.BOOLEAN end
  return M.INTEGER, M.INTEGER
end

return M
