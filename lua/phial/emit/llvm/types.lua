-- Types and constants of LLVM IR.
local types = require "phial.code.types"

local M = { width = types.width, size = types.size, PASSING = types.PASSING }

--- The names of the types of phial other than ptr; any and types of dialects have none.
---@type table<string, string>
M.NAMES = { i1 = "i1", i8 = "i8", i16 = "i16", i32 = "i32", i64 = "i64", f32 = "float",
  f64 = "double" }

-- A float of either type is written as the 64 bits of a double. Those that an f32 does not
-- have are 0, also in a nan.
local function float(type, x)
  local bits = string.unpack("<i8", string.pack("<d", x))
  if type == "f32" and x ~= x then
    bits = bits & ~0x1fffffff
    if bits & 0xfffffffffffff == 0 then bits = bits | 1 << 51 end
  end
  return ("0x%016X"):format(bits)
end

--- A constant without its type.
---@param type string of phial
---@param value boolean|number|nil nil: undef, which is zero
---@param name string? of the type in LLVM
---@return string
function M.constant(type, value, name)
  if type == "i1" then return tostring(value or false) end
  value = value or 0
  if M.width(type) then return ("%d"):format(value) end
  if type ~= "ptr" then return float(type, value) end
  return value == 0 and "null" or ("inttoptr (i64 %d to %s)"):format(value, name)
end

--- A type of LLVM as that of a parameter.
---@param type string
---@param passing string? phial.Passing
---@return string
function M.passed(type, passing)
  return passing and passing ~= "va_list" and type .. " " .. passing or type
end

--- The type of a function without attributes.
---@param signature string
---@return string
function M.plain(signature)
  return (signature:gsub("%l+ext i", "i"):gsub(" %l+ext", ""))
end

--- A type of LLVM, or nil, as that of a result.
---@param type string?
---@param passing string? phial.Passing
---@return string
function M.returned(type, passing)
  if not type then return "void" end
  return passing and passing .. " " .. type or type
end

return M
