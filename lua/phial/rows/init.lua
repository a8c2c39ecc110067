--- What is known of each op outside the core: a row, with a column for each language that is
-- written by rows. The files are by topic.
--
-- A column is a text, which phial.core.language compiles, or a function where a text cannot say it.
-- docs/exporters.md describes texts; they can also have
--
--    need NAME, @name_$t  a helper, in languages that have some
--    lazy                 an operand may not be evaluated
--    apart                the value is no part of another one
--    $=a  $+a  $!a ...    an operand: a whole expression, and forms that the language has
--    $k(...)              a constant of the type of the result
--
-- and the tests a=inline (the operand is part of this text; inline: this value is part of another)
-- and names of options. Lines between `{` and `}` are indented.
--
-- An operand that a text has once, behind what precedes it, can be part of the text, in parentheses
-- unless it binds tightly. A function is called with the emitter's code and the id of the
-- instruction; as `{ expr = f, check = g }` f returns the text of the value, and true if it needs
-- no parentheses, and g writes what precedes it.
local M = {}

local TOPICS <const> = { "integers", "comparisons", "floats", "memory" }

--- The rows of a language, by op.
---@param language string the column
---@param more table<string, any> rows of ops that refer to symbols or end blocks
---@return table<string, any>
function M.of(language, more)
  local rows = {}
  for _, topic in ipairs(TOPICS) do
    for op, row in pairs(require("phial.rows." .. topic)) do rows[op] = row[language] end
  end
  for op, row in pairs(more) do rows[op] = row end
  return rows
end

return M
