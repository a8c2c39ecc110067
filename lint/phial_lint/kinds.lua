-- Facts about values of Lua: sets of kinds.
local M = {}

M.NIL, M.FALSE, M.TRUE, M.NUMBER, M.STRING, M.TABLE, M.FUNCTION = 1, 2, 4, 8, 16, 32, 64
M.OTHER = 128 -- userdata, threads
-- Any kind, and nothing says that it may be nil. A test can say so: after `x == nil`, x is nil.
M.UNKNOWN = 256

M.ALL = 511
M.FALSY = M.NIL | M.FALSE
M.TRUTHY = M.ALL & ~M.FALSY

local UNKNOWN <const> = M.UNKNOWN

local NAMES <const> = {
  [M.NIL] = "nil", [M.FALSE] = "false", [M.TRUE] = "true", [M.NUMBER] = "number",
  [M.STRING] = "string", [M.TABLE] = "table", [M.FUNCTION] = "function", [M.OTHER] = "userdata",
  [UNKNOWN] = "any",
}
local BY_NAME = { boolean = M.FALSE | M.TRUE, thread = M.OTHER }
for kind, name in pairs(NAMES) do BY_NAME[name] = kind end

--- The set of a name, of a kind or of a type; nil for other texts.
M.by_name = BY_NAME

--- The names of a set.
---@param kinds integer
---@return string
function M.text(kinds)
  local list = {}
  for i = 0, 8 do
    if kinds & 1 << i ~= 0 then list[#list + 1] = NAMES[1 << i] end
  end
  return table.concat(list, " or ")
end

--- What is left of a set where a value is one of others.
---@param kinds integer
---@param others integer
---@return integer
function M.narrow(kinds, others)
  local left = kinds & others
  if kinds & UNKNOWN ~= 0 and others & UNKNOWN == 0 then return left | others end
  return left
end

--- True if a test that leaves these kinds finds that a value may be nil.
---@param set integer
---@return boolean
function M.finds_nil(set) return set & M.NIL ~= 0 and set & ~M.FALSY == 0 end

local BOOLEANS <const> = { [true] = M.TRUE, [false] = M.FALSE }

--- The kind of a constant.
---@param value any
---@return integer
function M.of(value)
  return BOOLEANS[value] or BY_NAME[type(value)]
end

return M
