--- Files as texts, and what subcommands write: to the standard output, or a file.
local failure = require "phial.command.failure"

local M = {}

--- The text of a file; "-" is the standard input.
---@param path string
---@return string? text
---@return string? why nil: it cannot be read
function M.read(path)
  if path == "-" then
    local text, problem = io.read "a"
    return text, not text and "stdin: " .. problem or nil
  end
  local file, why = io.open(path, "rb")
  if not file then return nil, why end
  local text, problem = file:read "a"
  file:close()
  if text then return text end
  return nil, path .. ": " .. problem
end

--- Writes a file. If it cannot be completed, it is removed, unless it is a device.
---@param path string
---@param text string
---@return true? done
---@return string? why
function M.write(path, text)
  local file, why = io.open(path, "wb")
  if not file then return nil, why end
  local written, problem = file:write(text)
  local closed, other = file:close()
  if written and closed then return true end
  if not path:find "^/dev/" then os.remove(path) end
  return nil, path .. ": " .. (problem or other)
end

-- The system's error number for a pipe whose reader has gone.
local EPIPE <const> = 32

-- Ends the subcommand, quietly if nobody reads what it writes.
local function check_written(ok, why, number)
  if ok then return end
  if number == EPIPE then failure.raise(0, "") end
  failure.raise(2, "standard output: " .. why)
end

--- Ends the subcommand, before it does anything, if it could not write to a file. One that does
--- not exist is not left behind.
---@param path? string as for `put`
function M.check(path)
  if not path or path == "-" then return end
  local there = io.open(path, "rb")
  if there then there:close() end
  local file, why = io.open(path, "ab")
  if not file then failure.raise(2, why) end
  file:close()
  if not there then os.remove(path) end
end

--- Writes a text as a whole.
---@param text string
---@param path? string of a file; nil or "-": the standard output
function M.put(text, path)
  if path and path ~= "-" then
    local done, why = M.write(path, text)
    if not done then failure.raise(2, why) end
    return
  end
  check_written(io.stdout:write(text))
  check_written(io.stdout:flush())
end

return M
