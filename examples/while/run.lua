-- Runs programs.
local M = {}

--- Runs a program, which prints with `show`. If an error stops it, returns the
--- message, with its position.
---@param program while.Translation
---@param given string[] its parameters
---@param values table<string, integer> their values
---@param fuel? integer the number of blocks that it may enter
---@param show? fun(value: integer)
---@return string? problem
function M.run(program, given, values, fuel, show)
  local arguments = {}
  for i, name in ipairs(given) do arguments[i] = values[name] end
  arguments[#arguments + 1] = { env = { print = show or print }, fuel = fuel }
  local ok, why = pcall(program.fn, table.unpack(arguments))
  if ok then return nil end
  local line, col, what = why:match "%((%d+):(%d+)%): ([^\n]*)$"
  if not line then return why end
  return program.source:problem(tonumber(line), tonumber(col), what)
end

return M
