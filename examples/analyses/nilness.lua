-- Values of Lua that may be nil. A fact says whether a value can be nil, false, anything else:
-- a sum of 1, 2 and 4, also for conditions. The ops are those of examples/luac; after a test
-- of x, `refine` says what x can be.
local NIL <const>, FALSE <const>, OTHER <const>, ANY <const> = 1, 2, 4, 7

-- What x can be if a test says so, and if it does not.
local IS_NIL, IS_FALSE, IS_BOOL = { NIL, 6 }, { FALSE, 5 }, { FALSE | OTHER, 5 }
local IS_TRUE, IS_FALSY, IS_OTHER = { OTHER, 3 }, { 3, OTHER }, { OTHER, ANY }

local function is_type_of(v, x)
  local callee, arg = table.unpack(v:op() == "lua.call" and v:args() or {})
  return arg == x and callee:op() == "lua.index" and callee:args()[2]:const() == "type"
end

-- What a test says about x; nil if nothing.
local function told(test, x)
  local op, a, b = test:op(), table.unpack(test:args())
  if op == "lua.truthy" and a == x then return IS_TRUE end
  if op == "lua.truthy" and a:op() == "lua.not" and a:args()[1] == x then return IS_FALSY end
  if op ~= "lua.rawequal" or b:op() ~= "const" then return nil end
  local y = b:const()
  if a == x then return y == nil and IS_NIL or y == false and IS_FALSE or IS_OTHER end
  if not is_type_of(a, x) then return nil end
  return y == "nil" and IS_NIL or y == "boolean" and IS_BOOL or IS_OTHER
end

-- The fact of a condition that can be true, and false, if these are not 0.
local function condition(yes, no) return (yes ~= 0 and OTHER or 0) | (no ~= 0 and FALSE or 0) end

local function other() return OTHER end

local transfer = {
  const = function(v) return v:const() == nil and NIL or v:const() == false and FALSE or OTHER end,
  default = function() return ANY end, ["lua.newtable"] = other, ["lua.closure"] = other,
  copy = function(_, fact) return fact(1) end,
  ["lua.truthy"] = function(_, fact) return condition(fact(1) & OTHER, fact(1) & ~OTHER) end,
  ["lua.not"] = function(_, fact) return condition(fact(1) & ~OTHER, fact(1) & OTHER) end,
}

function transfer.refine(v, fact)
  local x, test, holds = table.unpack(v:args())
  return fact(1) & (told(test, x) or { ANY, ANY })[holds:const() and 1 or 2]
end

transfer["lua.rawequal"] = function(_, fact)
  local a, b = fact(1), fact(2)
  return a * b == 0 and 0 or condition(a & b, a == b and (a == NIL or a == FALSE) and 0 or 1)
end

--- The problem, for fn:solve; a value may be nil if its fact is odd.
---@type phial.Problem
return { bottom = 0, join = function(a, b) return a | b end, transfer = transfer,
  edge = function(from, _, fact, n)
    return from:terminator():op() ~= "branch" or fact(1) & (n == 1 and OTHER or FALSE) ~= 0
  end }
