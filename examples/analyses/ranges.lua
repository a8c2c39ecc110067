-- The least and the greatest integer that a value can be; a fact is the two of them. For
-- booleans they are 0 and 1. What still grows after three rounds of a loop has no bound, except
-- by refinements: after `i < n`, i is less than the greatest n.
local MIN <const>, MAX <const> = math.mininteger, math.maxinteger
local ALL, BOOLEAN, NOTHING = { MIN, MAX }, { 0, 1 }, { 1, 0 }

-- Which operands of a comparison are a and b, of a < b (1) or a <= b (0).
local COMPARE = { slt = { 1, 2, 1 }, sgt = { 2, 1, 1 }, sle = { 1, 2, 0 }, sge = { 2, 1, 0 } }

local transfer = { default = function(v) return v:type() == "i1" and BOOLEAN or ALL end }

function transfer.const(v)
  local x = v:const()
  if type(x) == "boolean" then x = x and 1 or 0 end
  return math.type(x) == "integer" and { x, x } or ALL
end

function transfer.add(v, fact)
  local a, b = fact(1), fact(2)
  local lo, hi = a[1] + b[1], a[2] + b[2]
  local fits = (a[1] ~ lo) & (b[1] ~ lo) >= 0 and (a[2] ~ hi) & (b[2] ~ hi) >= 0
  return fits and v:type() == "i64" and { lo, hi } or ALL
end

for op, is in pairs(COMPARE) do
  transfer[op] = function(_, fact)
    local a, b, strict = fact(is[1]), fact(is[2]), is[3]
    return { a[2] < b[1] + 1 - strict and 1 or 0, a[1] <= b[2] - strict and 1 or 0 }
  end
end

function transfer.refine(v, fact) -- where bounds overflow, they say nothing
  local x, test, holds = table.unpack(v:args())
  local is, lo, hi = COMPARE[test:op()], table.unpack(fact(1))
  if is then
    local a, b, strict = test:args()[is[1]], test:args()[is[2]], is[3]
    if not holds:const() then a, b, strict = b, a, 1 - strict end
    if a == x then hi = math.min(hi, fact(b)[2] - strict) end
    if b == x then lo = math.max(lo, fact(a)[1] + strict) end
  end
  return lo <= hi and { lo, hi } or NOTHING
end

--- The problem, for fn:solve.
---@type phial.Problem
return { bottom = NOTHING, limit = 3, transfer = transfer,
  equal = function(a, b) return a[1] == b[1] and a[2] == b[2] end,
  join = function(a, b) return { math.min(a[1], b[1]), math.max(a[2], b[2]) } end,
  widen = function(a, b) return { b[1] < a[1] and MIN or a[1], b[2] > a[2] and MAX or a[2] } end,
  edge = function(from, _, fact, n) -- the first if 1 is possible, the second if 0 is
    return from:terminator():op() ~= "branch" or fact(1)[3 - n] == 2 - n
  end,
}
