--- What a parser accepts, and Lua does not: a jump to no label.
local M = {}

---@class phial.source.Failure
---@field node table
---@field message string

--- Ends the translation of a source.
---@param node table
---@param message string
function M.raise(node, message) error({ node = node, message = message }, 0) end

--- The message for an error that is not of phial's making: Lua's stack has an end, and Lua itself
--- would not accept such a source. Raises other errors.
---@param problem any
---@return string
function M.too_deep(problem)
  if tostring(problem):find "stack overflow" then return "the source is nested too deeply" end
  error(problem, 0)
end

return M
