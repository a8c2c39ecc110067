-- Random While programs as text.  If programs must end, loops count their
-- iterations.
local M = {}

local VARS = { "a", "b", "c", "d" }
local COMPARE = { "=", "!=", "<", "<=", ">", ">=" }

local function variable(g) return VARS[g.pick(#VARS)] end

local function integer(g, depth)
  local kind = g.pick(depth > 2 and 3 or 7)
  if kind <= 2 then return variable(g) end
  if kind == 3 then return tostring(g.pick(5) - 2) end
  if kind == 4 then return ("-(%s)"):format(integer(g, depth + 1)) end
  local op = ("+-*/%"):sub(g.pick(5)):sub(1, 1)
  local left, right = integer(g, depth + 1), integer(g, depth + 1)
  return ((kind == 5 and "(%s %s %s)" or "%s %s %s"):format(left, op, right))
end

local function boolean(g, depth)
  local kind = g.pick(depth > 2 and 3 or 8)
  if kind <= 3 then
    return ("%s %s %s"):format(integer(g, 2), COMPARE[g.pick(#COMPARE)], integer(g, 2))
  end
  if kind == 4 then return g.pick(2) == 1 and "true" or "false" end
  if kind == 5 then return ("not (%s)"):format(boolean(g, depth + 1)) end
  local op = kind == 6 and "or" or "and"
  return ("(%s) %s (%s)"):format(boolean(g, depth + 1), op, boolean(g, depth + 1))
end

local function add(g, format, ...)
  g.lines[#g.lines + 1] = ("  "):rep(g.depth) .. format:format(...)
end

local statement

local function list(g, count)
  g.depth = g.depth + 1
  for _ = 1, count do statement(g) end
  g.depth = g.depth - 1
end

local function loop(g)
  g.counters = g.counters + 1
  local counter = "n" .. g.counters
  if g.ends or g.pick(2) == 1 then
    add(g, "%s := 0;", counter)
    add(g, "while %s < %d and (%s) do {", counter, g.pick(4), boolean(g, 1))
    add(g, "  %s := %s + 1;", counter, counter)
  else
    add(g, "while %s do {", boolean(g, 0))
  end
  list(g, g.pick(3))
  add(g, "};")
end

local function choice(g)
  add(g, "if %s then {", boolean(g, 0))
  list(g, g.pick(3) - 1)
  if g.pick(2) == 1 then
    add(g, "} else {")
    list(g, g.pick(3) - 1)
  end
  add(g, "};")
end

function statement(g)
  local kind = g.pick(g.depth > 3 and 6 or 9)
  if kind <= 4 then
    add(g, "%s := %s;", variable(g), integer(g, 0))
  elseif kind <= 6 then
    add(g, "print %s;", integer(g, 0))
  elseif kind == 7 then
    loop(g)
  else
    choice(g)
  end
end

--- The text of a random program.
---@param pick fun(n: integer): integer
---@param ends? boolean it ends, and its variables are all defined first
---@return string
function M.program(pick, ends)
  local g = { pick = pick, lines = {}, depth = -1, counters = 0, ends = ends }
  for i, name in ipairs(VARS) do
    if ends then g.lines[i] = ("%s := %d;"):format(name, pick(9) - 5) end
  end
  list(g, pick(6))
  return table.concat(g.lines, "\n")
end

return M
