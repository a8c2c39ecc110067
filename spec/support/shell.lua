-- Runs commands of the shell.
local M = {}

--- What a command prints, errors included, and whether it succeeds.
---@param command string
---@return string text
---@return boolean good
function M.run(command)
  local pipe = assert(io.popen(command .. " 2>&1"))
  local text = pipe:read "a"
  return text, pipe:close() == true
end

--- What a command prints, errors included; it must succeed.
---@param command string
---@return string text
function M.output(command)
  local text, good = M.run(command)
  assert(good, command .. ": " .. text)
  return text
end

return M
