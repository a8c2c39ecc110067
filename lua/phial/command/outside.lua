--- Calls phial as a user's program does, so that errors about the call are told from others.
local M = {}

-- Errors are positioned at the first frame outside phial's folder, which is this chunk.
local called = load([[
  local f = ...
  return function(...)
    local results = table.pack(f(...))
    return table.unpack(results, 1, results.n)
  end]], "=phial")

--- Calls f in protected mode.
---@param f function
---@return boolean ok
---@return any ... the results; or the error, without a position if that is a call of phial
---@return boolean? refused phial raised the error about the call
function M.pcall(f, ...)
  local results = table.pack(pcall(called(f), ...))
  local err = results[2]
  if results[1] or type(err) ~= "string" then return table.unpack(results, 1, results.n) end
  local message, found = err:gsub("^phial:%d+: ", "", 1)
  return false, message, found == 1
end

return M
