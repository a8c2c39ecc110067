--- What is known of each op outside the core: a row, with a column for each language that is
-- written by rows. The files are by topic.
--
-- A column is a text, which phial.core.language compiles, or a function where a text cannot say it.
-- docs/exporters.md describes texts; they can also have
--
--    need NAME, @name_$t  a helper, in languages that have some
--    lazy                 an operand may not be evaluated
--    apart                the value is not a part of another one
--    $=a  $+a  $!a ...    an operand: a whole expression, and forms that the language has
--    $^a                  a whole expression, which is $+a unless it is a name
--    $k(...)              a constant of the type of the result
--
-- and the tests a=inline (the operand is part of this text; inline: this value is part of another)
-- and names of options. Lines between `{` and `}` are indented.
--
-- Languages in which a function has few locals (src/binding/write/locals.c), where only what has no
-- effect is part of another text, also have
--
--    set TEXT             computes the result, $v, before the lines that follow; no text: it is
--                         declared
--    raw TEXT             the value where bits beyond the type do not matter: for $~a
--    $w $w(TEXT)          in quotes, where the instruction is, for messages, and a text after it
--
-- An operand that a text has once, after what precedes it, can be part of the text, in parentheses
-- unless it binds tightly. A function is called with the emitter's code and the id of the
-- instruction; as `{ expr = f, check = g }` f returns the text of the value, and true if it needs
-- no parentheses, and g writes what precedes it.
--
-- The column smt is what the op computes, for proofs: a term of SMT-LIB 2, which rules/terms.lua
-- fills. A line that gives no value is `trap TRUTH`, or `sign TRUTH`: whether the result, a float,
-- is negative, also if it is a nan. The only tests are options. In texts:
--
--    $a $b $c     an operand; $-a: its sign, a truth; $%b: modulo the width
--    $T           the format of the type of the result, a float
--    $(w-w.a)     a number of widths; $k(...): one of the type of the result
--
-- A function is called with a phial.rules.Step, and with one that writes a constant float and its
-- type; it returns a text, or nil if the op is not known at these types.
local M = {}

local TOPICS <const> = { "integers", "comparisons", "floats", "memory" }

-- Traps of programs, in all languages; $m is the message.
local TRAPS <const> = { trap_if = "trap $=a: $m", trap = "trap: $m" }

--- The rows of a language, by op.
---@param language string the column
---@param more table<string, any> rows of ops that refer to symbols or end blocks
---@return table<string, any>
function M.of(language, more)
  local rows = {}
  for _, topic in ipairs(TOPICS) do
    for op, row in pairs(require("phial.rows." .. topic)) do rows[op] = row[language] end
  end
  for op, row in pairs(TRAPS) do rows[op] = row end
  for op, row in pairs(more) do rows[op] = row end
  return rows
end

return M
