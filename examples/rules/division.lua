-- Division by a constant as a multiplication: the factor is computed by a Lua
-- function, the action of a rule (Granlund and Montgomery, "Division by invariant
-- integers using multiplication", 1994).
-- usage: lua5.4 division.lua
local phial = require "phial"

-- The smallest m and p such that x // d == x * m >> p for all x of 32 bits; nil if m
-- does not fit in 32 bits.
local function magic(d)
  for p = 32, 62 do
    local power = 1 << p
    local m = power // d + 1
    if m >> 32 == 0 and m * d - power <= 1 << (p - 32) then return m, p end
  end
end

-- What an action emits is simplified like anything else. If it returns nothing, the
-- rule does not apply, and the division remains.
local function quotient(b, x, d)
  local m, p = magic(d & 0xffffffff)
  if m then return b:trunc(b:shr(b:mul(b:zext(x, "i64"), m), p), "i32") end
end

local function remainder(b, x, d)
  local q = quotient(b, x, d)
  return q and b:sub(x, b:mul(q, d))
end

local rules = phial.rules "int"
rules:add([[
  magic_div: udiv(x:i32, C) => $quotient(x, C)    if not pow2(C) and C ~= 0
  magic_rem: urem(x:i32, C) => $remainder(x, C)   if not pow2(C) and C ~= 0
]], { quotient = quotient, remainder = remainder })

-- Evaluates what the actions emit, for many x and C.
local right, verdicts = rules:check()
assert(right, table.concat(verdicts, "\n"))

local function digits(set)
  local fn = phial.fn("digits", { "n:i32" }, "i32", { rules = set, type = "i32" })
  local entry, head, body, done = fn:entry(), fn:block "head", fn:block "body", fn:block "done"
  local n, sum = fn:param(1), fn:var "sum"
  entry:write(sum, 0)
  entry:jump(head)
  head:branch(head:ne(head:read(n), 0), body, done)
  body:seal()
  done:seal()
  body:write(sum, body:add(body:read(sum), body:urem(body:read(n), 10)))
  body:write(n, body:udiv(body:read(n), 10))
  body:jump(head)
  head:seal()
  done:ret(done:read(sum))
  return fn:finish()
end

local plain, fn = digits(false), digits(rules)
print(fn)
for _, n in ipairs { 0, 7, 10, 1999, 123456789, 2147483647, -1 } do
  assert(plain(n) == fn(n))
  print(("the digits of %d as an unsigned number add up to %d"):format(n, fn(n)))
end

local b = phial.fn("seven", { "n:i32" }, "i32", { rules = rules })
b:entry():ret(b:entry():udiv(b:arg(1), 7))
print("\n7 needs a factor of 33 bits, so the division remains:\n")
print(b:finish())
