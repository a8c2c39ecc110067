-- each operation with registers, a constant and an immediate, on both sides
local function registers(a, b)
  return a + b, a - b, a * b, a % b, a ^ b, a / b, a // b,
    a & b, a | b, a ~ b, a << b, a >> b
end
local function constants(a)
  return a + 0.5, a - 0.5, a * 2, a % 2, a ^ 2, a / 2, a // 2,
    a & 2, a | 2, a ~ 2
end
local function immediates(a)
  return a + 1, a - 1, a >> 3, a << 3, 3 << a
end
local function flipped(a)
  return 1 + a, 2 * a, 2 & a, 2 - a, 0.5 + a
end
local function unary(a) return -a, ~a, #a, not a end
