--- What the verifier finds in functions, with the lines of the text that has them.
local excerpt = require "phial.command.excerpt"
local failure = require "phial.command.failure"
local places = require "phial.command.places"

local M = {}

--- A message about a function, with the line of the text that it is about.
---@param input phial.command.Input
---@param name string of the function
---@param message string
---@param found? table<string, phial.command.Places> of the text, if they are known
---@return string
function M.located(input, name, message, found)
  if input.kind ~= "text" then return ("%s: %s"):format(input.name, message) end
  local its = (found or places.read(input.text))[name]
  if not its then return ("%s: %s"):format(input.name, message) end
  return excerpt.shown(("%s:%d: %s"):format(input.name, places.line(its, message), message),
    input.name, input.text)
end

--- Ends the subcommand if a function is invalid, with all that is wrong.
---@param input phial.command.Input
---@param functions phial.Function[]
function M.refuse(input, functions)
  local messages, found = {}, nil
  for _, fn in ipairs(functions) do
    local ok, problems = fn:verify()
    for _, problem in ipairs(not ok and problems or {}) do
      found = found or input.kind == "text" and places.read(input.text)
      local message = ("%s: %s"):format(fn:name(), problem)
      messages[#messages + 1] = M.located(input, fn:name(), message, found)
    end
  end
  if #messages > 0 then failure.raise(1, table.concat(messages, "\n")) end
end

return M
