-- Text to tree, with LPeg.
--
-- The grammar looks one token ahead: the first token of a statement or an operand
-- decides what it is, and from there on parsing never fails.  If something is
-- missing, this is noted, and parsing continues as if it were present; whatever
-- does not fit is skipped up to where a statement may begin.  So all mistakes of a
-- program are found in one pass, and a note never has to be withdrawn.
--
-- A node is { tag =, at =, from =, to =, parts... }: `at` is the position for
-- messages (of an operation, that of its operator); the text of the node extends
-- from `from` to before `to`.
local lpeg = require "lpeg"
local operations = require "while.operations"

local P, R, S, V = lpeg.P, lpeg.R, lpeg.S, lpeg.V
local C, Carg, Cc, Cg = lpeg.C, lpeg.Carg, lpeg.Cc, lpeg.Cg
local Cmt, Cp, Ct = lpeg.Cmt, lpeg.Cp, lpeg.Ct

local DEEPEST = 90 -- LPeg nests 200 captures, of which parentheses take two
local STACK = 2000 -- enough of LPeg's stack for that

-- {== Tokens: blanks and comments before them are skipped ===============

local digit = R "09"
local letter = R("az", "AZ") + "_"
local word = letter * (letter + digit) ^ 0
local blank = S " \t\r\n"
local space = (blank + P "--" * (1 - P "\n") ^ 0) ^ 0

local function key(text) return space * P(text) * -(letter + digit) end
local function sym(text) return space * P(text) end

local keyword = P(false)
for text in ("skip if then else while do print and or not true false"):gmatch "%a+" do
  keyword = keyword + P(text) * -(letter + digit)
end
local name = space * C(word - keyword)
local number = space * C(P "-" ^ -1 * S " \t" ^ 0 * digit ^ 1)
local any = space * (word + digit ^ 1 + (1 - blank))

-- }== Mistakes ==========================================================

-- They are noted as { at =, message = }: one per position, since the mistakes that
-- follow from it are at the same position; and none after nesting too deeply.
local function note(state, at, message)
  local last = state[#state]
  if not last or last.at < at and not state.too_deep then
    state[#state + 1] = { at = at, message = message }
  end
end

local token = space * Cp() * (C(word + digit ^ 1 + ":=" + 1 * R "\x80\xBF" ^ 0) + Cc(nil))

local function expected(subject, at, state, what)
  local place, found = token:match(subject, at)
  found = found and "'" .. found .. "'" or "the end of the program"
  note(state, place, ("expected %s, found %s"):format(what, found))
  return true
end

local function missing(what) return Cmt(Carg(1) * Cc(what), expected) end
local function need(p, text) return p(text) + missing("'" .. text .. "'") end

local function equals(_, at, state)
  note(state, at - 1, "'=' compares: use ':=' to assign")
  return true
end

local becomes = sym ":=" + Cmt(sym "=" * Carg(1), equals) + missing "':='"

local function enter(_, at, state)
  if state.depth == DEEPEST then
    note(state, at - 1, "this is nested too deeply")
    state.too_deep = true
    return false
  end
  state.depth = state.depth + 1
  return true
end

local function leave(_, _, state)
  state.depth = state.depth - 1
  return true
end

local function nested(opening, p)
  return opening * Cmt(Carg(1), enter) * p * Cmt(Carg(1), leave)
end

-- }== Nodes =============================================================

local function node(tag, p)
  return space * Ct(Cg(Cc(tag), "tag") * Cg(Cp(), "at") * Cg(Cp(), "from") * p * Cg(Cp(), "to"))
end

local function operator(p)
  return space * Ct(Cg(Cp(), "at") * Cg(C(p), "op"))
end

local function integer(text)
  return math.tointeger(tonumber((text:gsub("%s", ""))))
end

local function parenthesized(from, inner, to)
  inner.from, inner.to = from, to
  return inner
end

-- }== The grammar =======================================================

local follow = space * (P "}" + -1)
local starter = sym ";" + sym "{" + key "skip" + key "if" + key "while" + key "print"
  + name * sym ":="
local junk = (any - starter - follow) ^ 1
local after = sym ";" + #follow + missing "';'" * junk ^ -1
local statement = V "statement" + node("wrong", missing "a statement")
local expression = V "expression"
local otherwise = key "else" * statement

local function reserved(text) return P(text) * -(letter + digit) end

local prefix = operator(reserved "not" + P "-" * -(S " \t" ^ 0 * digit))
local binary = operator(reserved "or" + reserved "and" + "<=" + "<" + ">=" + ">" + "!=" + "="
  + S "+-*/%")

local program = P {
  "program",
  program = node("block", V "list" * (#sym "}" * missing "a statement" * sym "}" * V "list") ^ 0)
    * space,
  list = (sym ";" + V "statement" * after + #junk * missing "a statement" * junk * sym ";" ^ -1)
    ^ 0,

  statement = node("skip", key "skip")
    + node("assign", name * becomes * expression)
    + node("if", nested(key "if", expression * need(key, "then") * statement * otherwise ^ -1))
    + node("while", nested(key "while", expression * need(key, "do") * statement))
    + node("print", key "print" * expression)
    + node("block", nested(sym "{", V "list" * need(sym, "}"))),

  expression = prefix ^ 0 * V "operand" * (binary * prefix ^ 0 * V "operand") ^ 0
    / operations.tree,
  operand = node("number", number / integer)
    + node("boolean", key "true" * Cc(true) + key "false" * Cc(false))
    + node("name", name)
    + space * Cp() * nested(P "(", expression * need(sym, ")")) * Cp() / parenthesized
    + node("wrong", missing "an expression"),
}

-- }======================================================================

local M = {}

--- The tree of a program, and its mistakes: without any, the tree is complete.
---@param source while.Source
---@return table tree
---@return { at: integer, message: string }[] mistakes
function M.parse(source)
  local state = { depth = 0 }
  lpeg.setmaxstack(STACK)
  return program:match(source.text, 1, state), state
end

--- True if a variable can have this name.
---@param text string
---@return boolean
function M.is_name(text) return (name * -1):match(text) ~= nil end

return M
