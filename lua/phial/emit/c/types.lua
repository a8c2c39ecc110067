-- Types and constants in C. Integers are unsigned, since only these wrap around in C;
-- an i1 is a bool. What looks at the sign converts first.
local portable = require "phial.portable"
local types = require "phial.code.types"

local M = {
  width = types.width, size = types.size, is_float = types.is_float, undef = types.undef,
  PASSING = types.PASSING,
}

local NAME = {
  i1 = "bool", i8 = "uint8_t", i16 = "uint16_t", i32 = "uint32_t", i64 = "uint64_t",
  f32 = "float", f64 = "double", ptr = "char *",
}

local SIGNED <const> = { i8 = "int8_t", i16 = "int16_t", i32 = "int32_t", i64 = "int64_t" }

--- A type in C; nil if C has no such type.
---@param type string
---@return string?
function M.name(type) return NAME[type] end

--- A declaration of a type of C: "uint64_t x", "char *x".
---@param c_type string
---@param declarator string
---@return string
function M.declaration(c_type, declarator)
  return (c_type:sub(-1) == "*" and "%s%s" or "%s %s"):format(c_type, declarator)
end

local SPECIFIER = {} -- by type: what precedes a declarator
for type, c_type in pairs(NAME) do SPECIFIER[type] = M.declaration(c_type, "") end

--- The same of a type of phial.
---@param type string
---@param declarator string
---@return string
function M.declared(type, declarator) return SPECIFIER[type] .. declarator end

--- A declaration of a function: "uint64_t %s(char *)", with %s for its name.
---@param result string? in C
---@param params string[] in C
---@return string
function M.declared_function(result, params)
  local list = #params > 0 and table.concat(params, ", ") or "void"
  return M.declaration(result or "void", ("%%s(%s)"):format(list))
end

--- The type of the same width with a sign.
---@param type string an integer type other than i1
---@return string
function M.signed(type) return SIGNED[type] end

--- A type as that of a parameter or result.
---@param type string?
---@param passing string? phial.Passing
---@return string? # nil: C has no such type
function M.passed(type, passing)
  return passing == "signext" and M.signed(type) or NAME[type]
end

-- The largest int of C that all compilers have.
local INT <const> = 0x7fffffff

--- An integer constant as an operand of a type, unsigned.
---@param type string
---@param n integer sign-extended
---@return string
function M.unsigned(type, n)
  if M.width(type) < 32 then n = n & (1 << M.width(type)) - 1 end
  if n >= 0 and n <= INT then return ("%d"):format(n) end
  if n > 0 then return ("UINT64_C(%d)"):format(n) end
  if n >= -INT then return ("(%s)%d"):format(NAME[type], n) end
  return type == "i64" and ("UINT64_C(0x%x)"):format(n) or ("UINT32_C(0x%x)"):format(n & 0xffffffff)
end

--- The same with its sign.
---@param n integer
---@return string
function M.signed_constant(n)
  if n >= -INT and n <= INT then return ("%d"):format(n) end
  if n == math.mininteger then return "INT64_MIN" end
  return ("INT64_C(%d)"):format(n)
end

-- The bits of an f32 that is represented as a Lua float.
local function bits_of_f32(x)
  if x == x then return (string.unpack("<I4", string.pack("<f", x))) end
  local bits = string.unpack("<i8", string.pack("<d", x))
  local payload = bits >> 29 & 0x7fffff
  if payload == 0 then payload = 0x400000 end
  return bits >> 63 << 31 | 0x7f800000 | payload
end

--- A constant address.
---@param n integer
---@return string
function M.pointer(n)
  return n == 0 and "(char *)0" or ("(char *)(uintptr_t)%s"):format(M.unsigned("i64", n))
end

--- A float constant as an operand. What has no literal in C is made of its bits.
---@param type string
---@param x number
---@param need fun(name: string): string called with the name of a helper; returns it
---@return string
function M.float(type, x, need)
  if x ~= x or x == math.huge or x == -math.huge then
    if type == "f32" then return ("%s(UINT32_C(0x%x))"):format(need "phial_f32", bits_of_f32(x)) end
    local bits = string.unpack("<i8", string.pack("<d", x))
    return ("%s(UINT64_C(0x%x))"):format(need "phial_f64", bits)
  end
  local text = portable.tostring(x)
  if not text:find "[.e]" then text = text .. ".0" end
  return text .. (type == "f32" and "f" or "")
end

return M
