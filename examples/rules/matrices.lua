-- Algebra on a dialect: laws of matrices, applied while an expression is built.
-- usage: lua5.4 matrices.lua
local phial = require "phial"

-- phial knows only the name of the type `matrix`. `cost` tells which form of an
-- expression is cheaper.
local M = phial.dialect("m", {
  add = {
    args = { "matrix", "matrix" }, result = "matrix", pure = true, commutative = true, cost = 10,
  },
  mul = { args = { "matrix", "matrix" }, result = "matrix", pure = true, cost = 100 },
  scale = { args = { "f64", "matrix" }, result = "matrix", pure = true, cost = 10 },
  t = { args = { "matrix" }, result = "matrix", pure = true, cost = 10 },
  inv = { args = { "matrix" }, result = "matrix", pure = true, cost = 1000 },
  one = { args = 0, result = "matrix", pure = true, cost = 1 },
  zero = { args = 0, result = "matrix", pure = true, cost = 1 },
}, { "matrix" })

-- Addition is commutative, so each rule about it matches both ways; multiplication is
-- not.
local rules = phial.rules():attach(M):add [[
  t_t:       m.t(m.t(a))                    => a
  t_one:     m.t(m.one())                   => m.one()
  t_mul:     m.mul(once(m.t(a)), once(m.t(b))) => m.t(m.mul(b, a))
  t_add:     m.add(once(m.t(a)), once(m.t(b))) => m.t(m.add(a, b))

  add_zero:  m.add(a, m.zero())             => a
  mul_one:   m.mul(a, m.one())              => a
  one_mul:   m.mul(m.one(), a)              => a
  mul_zero:  m.mul(_, m.zero())             => m.zero()
  zero_mul:  m.mul(m.zero(), _)             => m.zero()

  inv_inv:   m.inv(m.inv(a))                => a
  mul_inv:   m.mul(a, m.inv(a))             => m.one()
  inv_mul:   m.mul(m.inv(a), a)             => m.one()
  inv_prod:  m.mul(once(m.inv(a)), once(m.inv(b))) => m.inv(m.mul(b, a))

  factor:    m.add(once(m.mul(a, b)), once(m.mul(a, c))) => m.mul(a, m.add(b, c))
  factor_r:  m.add(once(m.mul(b, a)), once(m.mul(c, a))) => m.mul(m.add(b, c), a)
  twice:     m.add(a, a)                    => m.scale(2.0, a)
  scales:    m.scale(A, m.scale(B, a))      => m.scale(fmul(A, B), a)
]]

local function build(set)
  local fn = phial.fn("f", { "a:m.matrix", "b:m.matrix" }, "m.matrix",
    { rules = set, dialects = { M } })
  local e = fn:entry()
  local a, b = fn:arg(1), fn:arg(2)
  local function op(name, ...) return e:emit(M[name], ...) end
  -- (b' * a')' + inv(inv(a)) * (inv(b) * b) * b
  local left = op("t", op("mul", op("t", b), op("t", a)))
  local right = op("mul", op("mul", op("inv", op("inv", a)), op("mul", op("inv", b), b)), b)
  e:ret(op("scale", 3.0, op("add", left, right)))
  return fn:finish()
end

print "as written:\n"
print(build(false))
print "with the laws of matrices:\n"
local fn = build(rules)
fn:clean { dead = true }
print(fn)

local names = {}
for name in pairs(fn:stats().rules) do names[#names + 1] = name end
table.sort(names)
print("by " .. table.concat(names, ", "))
