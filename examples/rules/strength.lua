-- Strength reduction: multiplications and divisions by constants become shifts
-- and additions, while the function is being constructed.
-- usage: lua5.4 strength.lua
local phial = require "phial"

local rules = phial.rules [[
  -- powers of two: one shift
  mul_pow2:  x * C        => x << log2(C)             if pow2(C)
  udiv_pow2: udiv(x, C)   => shr(x, log2(C))          if pow2(C)
  urem_pow2: urem(x, C)   => x & (C - 1)              if pow2(C)

  -- one more or less than a power of two: a shift and an addition
  mul_above: x * C        => (x << log2(C - 1)) + x   if pow2(C - 1)       @ unoriented, always
  mul_below: x * C        => (x << log2(C + 1)) - x   if pow2(C + 1)       @ unoriented, always

  -- an even factor: an odd one, for which the rules above may apply, and a shift
  mul_even:  x * C        => (x * (C >> ctz(C))) << ctz(C)
                             if ctz(C) > 0 and not pow2(C) @ unoriented, always
]]
assert(rules:check())

-- The address of an element of a matrix: base + (y * width + x) * size.
local function address(width, size, set)
  local fn = phial.fn("address", { "base", "y", "x" }, "i64", { rules = set })
  local b = fn:entry()
  local base, y, x = fn:arg(1), fn:arg(2), fn:arg(3)
  b:ret(b:add(base, b:mul(b:add(b:mul(y, width), x), size)))
  return fn:finish()
end

local function multiplications(fn)
  local n = 0
  for v in fn:values() do
    if v:op() == "mul" then n = n + 1 end
  end
  return n
end

for _, case in ipairs { { 640, 4 }, { 63, 8 }, { 100, 12 } } do
  local plain = address(case[1], case[2], false)
  local fn = address(case[1], case[2], rules)
  print(("width %d, size %d: %d multiplications instead of %d"):format(case[1], case[2],
    multiplications(fn), multiplications(plain)))
  print(fn)
  for i = -3, 3 do assert(plain(1000, i, 7 * i) == fn(1000, i, 7 * i)) end
end
