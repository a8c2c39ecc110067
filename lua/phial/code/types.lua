--- The types of phial that numbers have.
local M = {}

local WIDTH = { i1 = 1, i8 = 8, i16 = 16, i32 = 32, i64 = 64 }

local SIZE = { i1 = 1, i8 = 1, i16 = 2, i32 = 4, i64 = 8, f32 = 4, f64 = 8, ptr = 8 }

--- The bits of an integer type, or nil.
---@param type string
---@return integer?
function M.width(type) return WIDTH[type] end

--- The bytes of a type in memory; nil for types that memory cannot hold.
---@param type string
---@return integer?
function M.size(type) return SIZE[type] end

--- True for f32 and f64.
---@param type string
---@return boolean
function M.is_float(type) return type == "f32" or type == "f64" end

--- The value of undef: 0, 0.0, false or nil.
---@param type string
---@return number|boolean|nil
function M.undef(type)
  if type == "i1" then return false end
  if M.is_float(type) then return 0.0 end
  return (WIDTH[type] or type == "ptr") and 0 or nil
end

--- How C passes narrow integers, unless a function says otherwise (fn:passing): as `bool`,
--- `int8_t` and `int16_t`.
---@type table<string, string>
M.PASSING = { i1 = "zeroext", i8 = "signext", i16 = "signext" }

return M
