-- Values that are always the same integer or boolean, and edges that are never taken:
-- conditional constant propagation (Wegman and Zadeck 1991). A fact is the constant.
local phial = require "phial"
local M = { NONE = "none", VARIES = "varies" }

local function constant(v) -- floats are left alone, since 0.0 == -0.0
  local x = v:const()
  if math.type(x) == "integer" or type(x) == "boolean" then return x end
  return M.VARIES
end

-- Lets phial fold an instruction whose operands are constants, in a function for that.
local function folding(scratch, row)
  return function(v, fact)
    local args = v:args()
    for i, arg in ipairs(args) do
      if fact(i) == M.NONE or fact(i) == M.VARIES then return fact(i) end
      args[i] = scratch:const(fact(i), arg:type())
    end
    if row.signature:find "^%u" then args[#args + 1] = v:type() end
    return constant(scratch:entry():emit(row.name, table.unpack(args)))
  end
end

--- True if the nth edge can be taken: of a branch the first if its condition can be true, of a
--- switch the first if its value is none of the keys, its other operands.
local function edge(from, _, fact, n)
  local last = from:terminator()
  local op, args = last:op(), last:args()
  if op ~= "branch" and op ~= "switch" or fact(1) == M.VARIES then return true end
  if op == "branch" then return fact(1) == (n == 1) end
  for i = 2, #args do
    if args[i]:const() == fact(1) then return i == n end
  end
  return n == 1 and fact(1) ~= M.NONE
end

--- The problem, for fn:solve.
---@return phial.Problem
function M.problem()
  local function join(a, b) if a == b then return a else return M.VARIES end end
  local transfer = { const = constant, default = function() return M.VARIES end }
  local scratch = phial.fn "constants"
  for _, row in ipairs(phial.ops()) do
    if row.class ~= "other" then transfer[row.name] = folding(scratch, row) end
  end
  return { bottom = M.NONE, join = join, transfer = transfer, edge = edge }
end

return M
