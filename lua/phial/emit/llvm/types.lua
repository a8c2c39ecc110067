-- Types and constants of LLVM IR.
local types = require "phial.code.types"

local M = { width = types.width, size = types.size }

local NAMES = { i1 = "i1", i8 = "i8", i16 = "i16", i32 = "i32", i64 = "i64", f32 = "float",
  f64 = "double" }

--- The name of a type of phial other than ptr; nil for any and types of dialects.
---@param type string
---@return string?
function M.name(type) return NAMES[type] end

-- The 64 bits with which LLVM writes a float of either type. Those that an f32 does
-- not have are 0, also in a nan.
local function float_bits(type, x)
  local bits = string.unpack("<i8", string.pack("<d", x))
  if type == "f64" or x == x then return bits end
  bits = bits & ~0x1fffffff
  return bits & 0xfffffffffffff == 0 and bits | 1 << 51 or bits
end

local function float(type, x)
  return ("0x%016X"):format(float_bits(type, x))
end

--- A constant without its type.
---@param type string of phial
---@param value boolean|number
---@param name string? of the type in LLVM
---@return string
function M.constant(type, value, name)
  if type == "i1" then return tostring(value) end
  if M.width(type) then return ("%d"):format(value) end
  if type ~= "ptr" then return float(type, value) end
  return value == 0 and "null" or ("inttoptr (i64 %d to %s)"):format(value, name)
end

--- What undef is: zero of any type.
---@param type string of phial
---@return string
function M.zero(type)
  if type == "i1" then return "false" end
  return M.width(type) and "0" or type == "ptr" and "null" or float(type, 0.0)
end

-- Narrow integers are passed as C does: extended, with a sign but for i1.
local EXTENDED = { i1 = "zeroext", i8 = "signext", i16 = "signext" }

--- A type of LLVM as that of a parameter.
---@param type string
---@return string
function M.passed(type)
  return EXTENDED[type] and type .. " " .. EXTENDED[type] or type
end

--- The type of a function without attributes.
---@param signature string
---@return string
function M.plain(signature)
  return (signature:gsub("%l+ext i", "i"):gsub(" %l+ext", ""))
end

--- A type of LLVM, or nil, as that of a result.
---@param type string?
---@return string
function M.returned(type)
  if not type then return "void" end
  return EXTENDED[type] and EXTENDED[type] .. " " .. type or type
end

return M
