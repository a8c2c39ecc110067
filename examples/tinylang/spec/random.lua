-- Random modules of tinylang as text, well-typed, which end and do not trap: divisors are
-- not zero, loops count, and procedures call only those that follow.
local M = {}

local COMPARE = { "=", "#", "<", "<=", ">", ">=" }
local DIVISORS = { "2", "3", "10", "(-7)", "k", "(%s MOD 7 + 8)" }
local NUMBERS = { "0", "1", "2", "7", "100", "0FFH", "9223372036854775807", "k" }

-- Procedures, by what they return and take: a star is VAR.
local SIGNATURES = {
  { name = "P1", result = "INTEGER", params = { "*INTEGER", "INTEGER" } },
  { name = "P2", result = "BOOLEAN", params = { "INTEGER", "*BOOLEAN" } },
  { name = "P3", params = { "*INTEGER", "*INTEGER", "BOOLEAN" } },
  { name = "P4", result = "INTEGER", params = { "BOOLEAN" } },
}

local function one_of(g, list) return list[g.pick(#list)] end

local function add(g, format, ...)
  g.lines[#g.lines + 1] = ("  "):rep(g.depth) .. format:format(...)
end

-- {== Expressions =======================================================

local expression = {}

-- A call of a procedure with this result that follows; nil if there is none, or too
-- many calls.
local function call(g, result, depth)
  local fitting = {}
  for i = g.index + 1, #SIGNATURES do
    if SIGNATURES[i].result == result then fitting[#fitting + 1] = SIGNATURES[i] end
  end
  if #fitting == 0 or g.calls == 2 then return nil end
  g.calls = g.calls + 1
  local procedure, arguments = one_of(g, fitting), {}
  for i, param in ipairs(procedure.params) do
    local type = param:match "%a+"
    arguments[i] = param:find "%*" and one_of(g, g.variables[type])
      or expression[type](g, depth + 1)
  end
  return ("%s(%s)"):format(procedure.name, table.concat(arguments, ", "))
end

function expression.INTEGER(g, depth)
  local kind = g.pick(depth > 2 and 3 or 9)
  if kind <= 2 then return one_of(g, g.variables.INTEGER) end
  if kind == 3 then return one_of(g, NUMBERS) end
  if kind == 4 then return ("(-%s)"):format(one_of(g, g.variables.INTEGER)) end
  if kind == 5 then return call(g, "INTEGER", depth) or "g2" end
  local left = expression.INTEGER(g, depth + 1)
  if kind <= 7 then
    local divisor = one_of(g, DIVISORS):format(one_of(g, g.variables.INTEGER))
    return ("(%s %s %s)"):format(left, kind == 6 and "DIV" or "MOD", divisor)
  end
  return ("(%s %s %s)"):format(left, ("+-*"):sub(g.pick(3)):sub(1, 1),
    expression.INTEGER(g, depth + 1))
end

function expression.BOOLEAN(g, depth)
  local kind = g.pick(depth > 2 and 4 or 9)
  if kind <= 2 then return one_of(g, g.variables.BOOLEAN) end
  if kind <= 4 then
    return ("(%s %s %s)"):format(expression.INTEGER(g, depth + 1), one_of(g, COMPARE),
      expression.INTEGER(g, depth + 1))
  end
  if kind == 5 then return call(g, "BOOLEAN", depth) or "c" end
  if kind == 6 then return ("NOT %s"):format(expression.BOOLEAN(g, depth + 1)) end
  local op = kind == 7 and one_of(g, { "=", "#" }) or kind == 8 and "AND" or "OR"
  return ("(%s %s %s)"):format(expression.BOOLEAN(g, depth + 1), op,
    expression.BOOLEAN(g, depth + 1))
end

-- }== Statements ========================================================

local statement

local function list(g, count)
  g.depth = g.depth + 1
  for _ = 1, count do statement(g) end
  g.depth = g.depth - 1
end

local function loop(g)
  g.counters = g.counters + 1
  local counter = "n" .. g.counters
  add(g, "%s := 0;", counter)
  add(g, "WHILE (%s < %d) AND %s DO", counter, g.pick(3), expression.BOOLEAN(g, 1))
  add(g, "  %s := %s + 1;", counter, counter)
  list(g, g.pick(3))
  add(g, "END;")
end

local function choice(g)
  add(g, "IF %s THEN", expression.BOOLEAN(g, 0))
  list(g, g.pick(3) - 1)
  if g.pick(3) == 1 then
    add(g, "ELSIF %s THEN", expression.BOOLEAN(g, 1))
    list(g, g.pick(2))
  end
  if g.pick(2) == 1 then
    add(g, "ELSE")
    list(g, g.pick(3) - 1)
  end
  if g.pick(6) == 1 then
    add(g, "; RETURN%s", g.result and " " .. expression[g.result](g, 1) or "")
  end
  add(g, "END;")
end

function statement(g)
  local kind = g.pick(g.depth > 3 and 6 or 10)
  local type = kind <= 4 and "INTEGER" or "BOOLEAN"
  local called = kind == 6 and call(g, nil, 1)
  if called then
    add(g, "%s;", called)
  elseif kind <= 6 then
    add(g, "%s := %s;", one_of(g, g.variables[type]), expression[type](g, 0))
  elseif kind <= 8 then
    choice(g)
  else
    loop(g)
  end
end

-- }== Procedures ========================================================

local function heading(signature, g)
  local parts = {}
  for i, param in ipairs(signature.params) do
    local type = param:match "%a+"
    local list_of = g.variables[type]
    list_of[#list_of + 1] = "a" .. i
    parts[i] = ("%sa%d: %s"):format(param:find "%*" and "VAR " or "", i, type)
  end
  return ("PROCEDURE %s(%s)%s;"):format(signature.name, table.concat(parts, "; "),
    signature.result and ": " .. signature.result or "")
end

local function procedure(signature, index, pick)
  local g = { pick = pick, lines = {}, depth = 0, counters = 0, calls = 0, index = index,
    result = signature.result, variables = { INTEGER = { "x", "y", "g1", "g2" },
      BOOLEAN = { "p", "q", "b" } } }
  local head = heading(signature, g)
  add(g, "  x := %d; y := %s; p := %s; q := FALSE;", pick(9) - 1, one_of(g, NUMBERS),
    one_of(g, { "TRUE", "c" }))
  list(g, pick(5))
  if g.result then add(g, "  RETURN %s", expression[g.result](g, 0)) end
  local counters = ""
  for i = 1, g.counters do counters = counters .. ", n" .. i end
  return ("%s\nVAR x, y%s: INTEGER; p, q: BOOLEAN;\nBEGIN\n%s\nEND %s;\n"):format(head, counters,
    table.concat(g.lines, "\n"), signature.name)
end

-- }=====================================================================

local MAIN = { name = "Main", result = "INTEGER", params = { "INTEGER", "INTEGER" } }

local MODULE = [[
MODULE %s;
CONST k = %d; c = k > 5;
VAR g1, g2: INTEGER; b: BOOLEAN;
%s
PROCEDURE Call(a1, a2: INTEGER): INTEGER;
VAR r: INTEGER;
BEGIN
  r := Main(a1, a2);
  IF b THEN r := r + 1 END;
  RETURN (r * 31 + g1) * 31 + g2
END Call;
BEGIN
  g1 := %d
END %s.
]]

--- The text of a random module; its procedure Call takes two numbers.
---@param pick fun(n: integer): integer
---@param name string?
---@return string
function M.module(pick, name)
  name = name or "Random"
  local procedures = { procedure(MAIN, 0, pick) }
  for i, signature in ipairs(SIGNATURES) do
    procedures[i + 1] = procedure(signature, i, pick)
  end
  return MODULE:format(name, pick(9), table.concat(procedures), pick(9), name)
end

return M
