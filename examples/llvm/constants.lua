-- Constants of LLVM IR as values of phial. What phial cannot compute with is kept as a text:
-- a constant of type any, equal texts being the same constant.
local instructions = require "llvm.instructions"
local ops = require "llvm.dialect"
local types = require "llvm.types"

local M = {}

local BITS = { ["true"] = true, ["1"] = true, ["-1"] = true }

--- The value of a literal: LLVM takes its low bits.
---@param type string i8 to i64
---@param text string
---@return integer
function M.integer(type, text)
  local n = math.tointeger(tonumber(text))
  if not n then -- 2^63 or more
    n = 0
    for digit in text:gmatch "%d" do n = n * 10 + tonumber(digit) end
    if text:find "^-" then n = -n end
  end
  local unused = 64 - tonumber(type:sub(2))
  local low = n << unused
  return low // (1 << unused)
end

-- The Lua value of a literal of a scalar type.
local function number(type, text)
  if type == "i1" then return BITS[text] or false end
  if type == "f32" or type == "f64" then
    local bits = text:match "^0x(%x+)$"
    if bits then return (string.unpack("<d", string.pack("<i8", tonumber("0x" .. bits)))) end
    return tonumber(text) * 1.0
  end
  return M.integer(type, text)
end

--- A table that makes the constants of a function: [type of LLVM][text].
---@param fn phial.Function
---@return table<string, table<string, phial.Value>>
function M.of(fn)
  return setmetatable({}, { __index = function(all, llvm_type)
    local type = types.of(llvm_type)
    local made = setmetatable({}, { __index = function(list, text)
      local value
      if text == "undef" or text == "poison" then
        value = fn:undef(type)
      elseif type == "ptr" and text == "null" then
        value = fn:const(0, "ptr")
      elseif type == "any" then
        value = fn:const(text, "any")
      elseif type ~= "ptr" and instructions.is_simple(text, llvm_type) then
        value = fn:const(number(type, text), type)
      else -- a constant expression, a nan, the address of a global
        value = fn:entry():emit(ops.dialect.constant, type, { data = text })
      end
      list[text] = value
      return value
    end })
    all[llvm_type] = made
    return made
  end })
end

return M
