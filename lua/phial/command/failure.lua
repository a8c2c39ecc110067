--- What ends a subcommand: raised as an error, caught by the command.
local excerpt = require "phial.command.excerpt"

local M = {}

---@class phial.command.Failure
---@field status integer
---@field message string
---@field usage? boolean the command line is wrong
local Failure = {}
Failure.__index = Failure

--- True if `it` was raised by a function of this module.
---@param it any
---@return boolean
function M.is(it) return getmetatable(it) == Failure end

--- Ends the subcommand with a message.
---@param status integer 1: the answer is no; 2: the input is wrong
---@param message string
function M.raise(status, message)
  error(setmetatable({ status = status, message = message }, Failure), 0)
end

--- The same for a command line that is wrong.
---@param message string
function M.refuse(message)
  error(setmetatable({ status = 2, message = message, usage = true }, Failure), 0)
end

--- The same for a message that starts with a place in a text, "name:line:col: ", as phial's
--- messages do: shows the line of the text, and marks the place.
---@param status integer
---@param message string
---@param name string of the text
---@param text string
function M.at(status, message, name, text)
  M.raise(status, excerpt.shown(message, name, text))
end

-- Errors are positioned at the first frame outside phial's folder, which is this chunk.
local called = load([[
  local f = ...
  return function(...)
    local results = table.pack(f(...))
    return table.unpack(results, 1, results.n)
  end]], "=phial")

--- Calls phial in protected mode, as a user's program does, so that errors about the call are told
--- from others.
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
