--- What is known of each op outside the core: a row, with a column for each language that is
-- written by rows. The files are by topic.
--
-- The columns c, llvm and lua are texts of lines, which phial.core.language compiles, or functions
-- where a text cannot say it. A line is `[tests] statement`; it counts if all tests hold, and the
-- first line that counts and has no keyword gives the value of the instruction. Those before it are
-- done first, at the place of the instruction, wherever its value is written:
--
--    do TEXT              a statement; lines between `{` and `}` are indented
--    trap TEST: MESSAGE   a trap where the test holds, or always; left out without traps
--    need NAME            a helper
--    lazy                 an operand may not be evaluated
--    apart                the value is no part of another one
--
-- Languages in SSA form, where each value has a name, also have
--
--    let 1 TEXT           computes what $1 stands for from there on
--    declare TEXT         a line outside functions
--    top                  the first line: what follows is at the top of the function
--
-- Languages in which a function has few locals (src/binding/write/locals.c), where only what has no
-- effect is part of another text, also have
--
--    set TEXT             computes the result, $v, before the lines that follow; no text: it is
--                         declared
--    raw TEXT             the value where bits beyond the type do not matter: for $~a
--
-- In texts:
--
--    $a $b $c     an operand, in parentheses unless it binds tightly; $=a: a whole expression;
--                 $+a and others with a sign: forms that the language has
--    $t $t.a      the name of a type, of the result or an operand; $T $T.a: a word that the
--                 language has for it
--    $(1<<w-1)    a number: of a, b, c, constants; w, w.a, widths in bits; $x(...): in
--                 hexadecimal; $k(...): a constant of the type of the result
--    @name_$t     a helper, which is needed
--    $v           the name of the result
--    $w $w(TEXT)  in quotes, where the instruction is, for messages, and a text behind it
--    $>1          the label to which the first edge of the block goes
--    $$ $@ $[     these characters
--
-- Tests, separated by commas, `!` negates one: a=i8|i16 (types, none; t is the result), a=const,
-- b=0, b<0, a=b (the same operand), a=inline (part of this text; inline: this value is part of
-- another), a=extreme, a=uextreme (the least or greatest integer, with or without sign), and names
-- of options.
--
-- An operand that a text has once, behind what precedes it, can be part of the text. A function is
-- called with the emitter's code and the id of the instruction; as `{ expr = f, check = g }` f
-- returns the text of the value, and true if it needs no parentheses, and g writes what precedes
-- it.
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
