--- Where subcommands write: the standard output, or a file.
local failure = require "phial.command.failure"
local file = require "phial.command.file"

local M = {}

-- The system's error number for a pipe whose reader has gone.
local EPIPE <const> = 32

-- Ends the subcommand, quietly if nobody reads what it writes.
local function check(ok, why, number)
  if ok then return end
  if number == EPIPE then failure.raise(0, "") end
  failure.raise(2, "standard output: " .. why)
end

--- Ends the subcommand, before it does anything, if it could not write to a file.
---@param path? string as for `write`
function M.check(path)
  local why = path and path ~= "-" and file.refusal(path)
  if why then failure.raise(2, why) end
end

--- Writes a text as a whole.
---@param text string
---@param path? string of a file; nil or "-": the standard output
function M.write(text, path)
  if path and path ~= "-" then
    local done, why = file.write(path, text)
    if not done then failure.raise(2, why) end
    return
  end
  check(io.stdout:write(text))
  check(io.stdout:flush())
end

return M
