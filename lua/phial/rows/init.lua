--- What is known of each op outside the core: a row in each language.
local M = {}

--- The rows of a language, by op.
---@param language string the column
---@param more table<string, any> rows of ops that refer to symbols
---@return table<string, any>
function M.of(language, more)
  local rows = {}
  for _, topic in ipairs { "integers", "comparisons", "floats", "memory" } do
    for op, row in pairs(require("phial.rows." .. topic)) do rows[op] = row[language] end
  end
  for op, row in pairs(more) do rows[op] = row end
  return rows
end

return M
