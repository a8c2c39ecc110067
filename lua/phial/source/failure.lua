--- What a parser accepts, and Lua does not: a jump to no label.
local M = {}

---@class phial.source.Failure
---@field node table
---@field message string

--- Ends the translation of a source.
---@param node table
---@param message string
function M.raise(node, message) error({ node = node, message = message }, 0) end

return M
