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

return M
