-- Which types a value of Lua can have: a fact is a sum of powers of 2. True and false count as
-- types, so that conditions decide which edges are taken. The ops are those of examples/luac.
local NIL <const>, FALSE <const>, TRUE <const>, NUMBER <const>, ANY <const> = 1, 2, 4, 8, 255
local FALSY <const> = NIL | FALSE
local TAGS = { ["nil"] = NIL, number = NUMBER, string = 16, table = 32, ["function"] = 64 }

local function copied(_, fact) return fact(1) end
local function tested() return FALSE | TRUE end

local transfer = {
  default = function() return ANY end,
  copy = copied, refine = copied, ["lua.lt"] = tested, ["lua.le"] = tested, ["lua.eq"] = tested,
  ["lua.newtable"] = function() return TAGS.table end,
  ["lua.closure"] = function() return TAGS["function"] end,
}

function transfer.const(v)
  local x = v:const()
  if type(x) == "boolean" then return x and TRUE or FALSE end
  return TAGS[type(x)] or ANY
end

-- The fact of a condition that can be true, and false, if these are not 0.
local function condition(yes, no) return (yes ~= 0 and TRUE or 0) | (no ~= 0 and FALSE or 0) end

transfer["lua.truthy"] = function(_, fact) return condition(fact(1) & ~FALSY, fact(1) & FALSY) end
transfer["lua.not"] = function(_, fact) return condition(fact(1) & FALSY, fact(1) & ~FALSY) end

transfer["lua.rawequal"] = function(_, fact)
  local a, b = fact(1), fact(2)
  if a == 0 or b == 0 then return 0 end
  local is_same = a == b and (a == NIL or a == FALSE or a == TRUE)
  return condition(a & b, is_same and 0 or 1)
end

for op in ("add sub mul mod pow div idiv"):gmatch "%a+" do
  transfer["lua." .. op] = function(_, fact) -- of other types, a metamethod decides
    local both = fact(1) | fact(2)
    return both & ~NUMBER == 0 and both or ANY
  end
end

--- The problem, for fn:solve, and the numbers of the types.
return {
  TAGS = TAGS, FALSE = FALSE, TRUE = TRUE,
  ---@type phial.Problem
  problem = {
    bottom = 0, join = function(a, b) return a | b end, transfer = transfer,
    edge = function(from, _, fact, n)
      return from:terminator():op() ~= "branch" or fact(1) & (n == 1 and TRUE or FALSE) ~= 0
    end,
  },
}
