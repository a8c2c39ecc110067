-- Types in Lua: an i1 is a boolean, other integers are Lua integers, sign-extended
-- to 64 bits, a ptr is a Lua integer, f32 and f64 are Lua floats (an f32 is rounded
-- after each operation), values of other types are any Lua values.
local portable = require "phial.portable"
local types = require "phial.code.types"

local M = { undef = types.undef }

local function hex(n) return ("0x%x"):format(n) end

--- The smallest integer of a type, as an operand.
---@param type string
---@return string
function M.least(type)
  local w = types.width(type)
  return w == 64 and hex(1 << 63) or ("(%d)"):format(-1 << w - 1)
end

--- The mask of all bits of a type.
---@param type string narrower than 64
---@return string
function M.mask(type) return hex((1 << types.width(type)) - 1) end

--- An integer expression plus a number, sign-extended from the width of the type.
---@param type string narrower than 64
---@param text string of operators that bind at least as strongly as `+`
---@param plus? integer
---@return string
function M.wrap(type, text, plus)
  local half = 1 << types.width(type) - 1
  return ("(%s + %s & %s) - %s"):format(text, hex(half + (plus or 0) & 2 * half - 1),
    M.mask(type), hex(half))
end

local function integer(n)
  if n == math.mininteger then return hex(n) end
  return n < 0 and ("(%d)"):format(n) or ("%d"):format(n)
end

local function float(x)
  if x == math.huge then return "1e999" end
  if x == -math.huge then return "(-1e999)" end
  local text = portable.tostring(x)
  return text:sub(1, 1) == "-" and "(" .. text .. ")" or text
end

--- A string in quotes, on one line.
M.quote = portable.quoted

local text_of = {
  ["nil"] = tostring,
  boolean = tostring,
  string = M.quote,
  number = function(n) return math.type(n) == "integer" and integer(n) or float(n) end,
}

--- A constant as an operand; nil for a nan and values other than constants, which
--- have no literal.
---@param value any
---@return string?
function M.literal(value)
  local text = text_of[type(value)]
  return value == value and text and text(value) or nil
end

return M
