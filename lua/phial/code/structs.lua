--- Structs that C passes by value, from the text of a passing: "byval {i32, f64, i8[3]}".
local types = require "phial.code.types"

local M = {}

---@class phial.code.Struct
---@field members {type: string, count: integer?}[] count: of an array
---@field text string of the members
---@field size integer in bytes, as in C: a multiple of align
---@field align integer

--- The struct that is passed in a way of fn:passing; nil: that is none.
---@param passing string?
---@return phial.code.Struct?
---@return string? kind "byval" or "sret"
function M.of(passing)
  if not passing then return nil end
  local kind, text = passing:match "^(%l+) ({.*)$"
  if not kind then return nil end
  local members, size, align = {}, 0, 1
  for type, count in text:gmatch "(%w+)%[?(%d*)" do
    local bytes = types.size(type)
    members[#members + 1] = { type = type, count = math.tointeger(tonumber(count)) }
    align = math.max(align, bytes)
    size = (size + bytes - 1) // bytes * bytes + bytes * (tonumber(count) or 1)
  end
  return { members = members, text = text, align = align,
    size = (size + align - 1) // align * align }, kind
end

--- The struct of which the function has a copy; nil: the parameter is none.
---@param passing string? of the parameter
---@return phial.code.Struct?
function M.copied(passing)
  local struct, kind = M.of(passing)
  return kind == "byval" and struct or nil
end

return M
