--- Reads tables of src that Lua is not told of: files of rows NAME(column, ...).
local M = {}

-- A row's text is the last column: strings, which C joins.
local FUNCTION <const> =
  'PH_FUNCTION%(%s*([%u%d_]+),%s*([%l%d_]+),%s*(%u+),%s*(%d+),%s*(%u+),%s*("[^\n]-")%)\n'

---@class FunctionRow
---@field name string "log2"
---@field argument "NUMBERS"|"TYPE"|"VALUE"
---@field count integer
---@field result "NUMBER"|"SIZED"|"TRUTH"
---@field text string

--- The functions of rules, as functions.def has them.
---@return FunctionRow[]
function M.functions()
  local file <close> = assert(io.open "src/core/rules/set/functions.def")
  local source = file:read("a"):gsub("/%*.-%*/", ""):gsub('"%s*\n%s*"', "")
  local rows = {}
  for _, name, argument, count, result, text in source:gmatch(FUNCTION) do
    rows[#rows + 1] = { name = name, argument = argument, count = math.tointeger(count),
      result = result, text = text:sub(2, -2) }
  end
  local _, n = source:gsub("PH_FUNCTION%(", "")
  assert(n == #rows and n > 0, "functions.def has rows that cannot be read")
  return rows
end

return M
