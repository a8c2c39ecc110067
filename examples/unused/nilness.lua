-- Which values of a Lua function may be nil: the problem of examples/analyses for fn:solve.
-- A fact is a set of kinds (tests.lua).  The values here are seen through copies, since each
-- assignment makes one.
local analysis = require "analyses.nilness"
local tests = require "unused.tests"

local transfer = {}
for op, evaluate in pairs(analysis.transfer) do transfer[op] = evaluate end

-- Results of operators, if no metamethods yield nil.
local OPERATORS = "add sub mul mod pow div idiv band bor bxor shl shr unm bnot len concat"
for name in OPERATORS:gmatch "%a+" do
  transfer["lua." .. name] = function() return tests.OTHER end
end

-- A refinement has those kinds of its value that its condition leaves.
function transfer.refine(value, fact)
  local args = value:args()
  local test = tests.of(args[2])
  if not test or tests.origin(test.value) ~= tests.origin(args[1]) then return fact(1) end
  return fact(1) & (args[3]:const() and test.yes or test.no)
end

local problem = {
  bottom = analysis.bottom, join = analysis.join, transfer = transfer, edge = analysis.edge,
}

--- The kinds of the values of a function.
---@param fn phial.Function
---@return phial.Solution
local function of(fn) return fn:solve(problem) end

-- The values that the program itself says may be nil: it assigns nil, or asks.
local function said(fn)
  local list = {}
  for value in fn:values() do
    local test = tests.of(value)
    if test then
      list[#list + 1] = tests.origin(test.value)
    elseif value:op() == "copy" and tests.constant(value:args()[1]) == tests.NIL then
      list[#list + 1] = value
    end
  end
  return list
end

local PASSES <const> = { copy = true, phi = true, refine = true }

--- The set of the values that are nil for a reason in the program, if they are: it assigns
--- nil to them, or tests them.
---@param fn phial.Function
---@return table<phial.Value, boolean>
local function suspects(fn)
  local todo, set = said(fn), {}
  while #todo > 0 do
    local value = table.remove(todo)
    if not set[value] then
      set[value] = true
      for _, user in ipairs(value:users()) do
        if PASSES[user:op()] then todo[#todo + 1] = user end
      end
    end
  end
  return set
end

return { of = of, suspects = suspects }
