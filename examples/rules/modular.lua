-- Arithmetic modulo a prime: a domain of its own, from ops to rules that are checked and pay.
-- usage: lua5.4 modular.lua
local phial = require "phial"

local P <const> = 7

-- x to the power of P - 2, the inverse; that of 0 is 0.
local function inverse(x)
  local power = 1
  for _ = 1, P - 2 do power = power * x % P end
  return power
end

local fp = phial.dialect("fp", {
  one = { args = {}, result = "e", pure = true, eval = function() return 1 end },
  add = { args = { "e", "e" }, result = "e", pure = true, commutative = true,
    eval = function(a, b) return (a + b) % P end },
  mul = { args = { "e", "e" }, result = "e", pure = true, commutative = true, cost = 15,
    eval = function(a, b) return a * b % P end },
  neg = { args = { "e" }, result = "e", pure = true, cost = 2,
    eval = function(a) return -a % P end },
  inv = { args = { "e" }, result = "e", pure = true, cost = 90, eval = inverse },
}, { "e" })

-- The check finds what is easily forgotten: 0 has no inverse.
local samples = { ["fp.e"] = { 0, 1, 2, 3, 4, 5, 6 } }
local function check(rules)
  local _, verdicts = rules:check { samples = samples }
  for _, verdict in ipairs(verdicts) do print((verdict:gsub("applied in %d+", "applied in n"))) end
end
check(phial.rules():attach(fp):add [[
  gone: fp.mul(x, fp.inv(x)) => fp.one()
]])

-- One inverse is cheaper than two; where an inner one has another use, it is not.
local algebra = phial.rules():attach(fp):add [[
  twice:   fp.inv(fp.inv(x)) => x
  neg_neg: fp.neg(fp.neg(x)) => x
  join:    fp.mul(fp.inv(x), fp.inv(y)) => fp.inv(fp.mul(x, y))
]]
-- A phase for later, once no rule needs to see inverses: 90 becomes four of 15.
local lower = phial.rules():attach(fp):add [[
  power: fp.inv(x) => fp.mul(x, fp.mul(fp.mul(x, x), fp.mul(x, x))) @ unoriented
]]
check(algebra)
check(lower)

local fn = phial.fn("f", { "x:fp.e", "y:fp.e" }, "fp.e", { rules = algebra, dialects = { fp } })
local b = fn:entry()
b:ret(b:emit(fp.mul, b:emit(fp.inv, fn:arg(1)), b:emit(fp.inv, fn:arg(2))))
fn:finish():clean { dead = true }
print(fn)
fn:clean { rules = lower, dead = true }
print(fn)
print(fn(2, 3), inverse(2) * inverse(3) % P)
