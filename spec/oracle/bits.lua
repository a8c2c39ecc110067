-- Integers as lists of bits, the lowest first, and schoolbook arithmetic: slow,
-- plainly right, and the same at every width. In Lua an i1 is a boolean, other
-- integers are sign-extended.
local M = {}

--- The bits of an integer or a boolean.
function M.of(n, width)
  if type(n) == "boolean" then return { n and 1 or 0 } end
  local bits = {}
  for i = 1, width do bits[i] = n >> (i - 1) & 1 end
  return bits
end

--- The Lua integer, or boolean, of which these are the bits.
function M.value(bits)
  if #bits == 1 then return bits[1] == 1 end
  local n = 0
  for i = 1, 64 do n = n | (bits[i] or bits[#bits]) << (i - 1) end
  return n
end

function M.negative(bits) return bits[#bits] == 1 end

function M.is_zero(bits)
  for _, bit in ipairs(bits) do
    if bit == 1 then return false end
  end
  return true
end

--- Truncates, or extends with a bit.
function M.resize(bits, width, fill)
  local out = {}
  for i = 1, width do out[i] = bits[i] or fill end
  return out
end

local function map(a, b, f)
  local out = {}
  for i = 1, #a do out[i] = f(a[i], b[i]) end
  return out
end

function M.band(a, b) return map(a, b, function(x, y) return x * y end) end
function M.bor(a, b) return map(a, b, function(x, y) return x + y > 0 and 1 or 0 end) end
function M.bxor(a, b) return map(a, b, function(x, y) return (x + y) % 2 end) end
function M.bnot(a) return map(a, a, function(x) return 1 - x end) end

function M.add(a, b)
  local out, carry = {}, 0
  for i = 1, #a do
    local sum = a[i] + b[i] + carry
    out[i], carry = sum % 2, sum // 2
  end
  return out
end

local function one(width) return M.resize({ 1 }, width, 0) end

function M.neg(a) return M.add(M.bnot(a), one(#a)) end
function M.sub(a, b) return M.add(a, M.neg(b)) end

--- Shifts left by a number of places.
function M.shl(a, places)
  local out = {}
  for i = 1, #a do out[i] = i > places and a[i - places] or 0 end
  return out
end

--- Shifts right by a number of places; shifts in a bit.
function M.shr(a, places, fill)
  local out = {}
  for i = 1, #a do out[i] = a[i + places] or fill end
  return out
end

function M.mul(a, b)
  local out = M.resize({}, #a, 0)
  for i = 1, #b do
    if b[i] == 1 then out = M.add(out, M.shl(a, i - 1)) end
  end
  return out
end

--- True if a is less than b, unsigned.
function M.less(a, b)
  for i = #a, 1, -1 do
    if a[i] ~= b[i] then return a[i] < b[i] end
  end
  return false
end

--- Unsigned long division: quotient and remainder.
function M.divide(a, b)
  local width = #a
  local divisor = M.resize(b, width + 1, 0)
  local negated = M.neg(divisor)
  local quotient, rest = {}, M.resize({}, width + 1, 0)
  for i = width, 1, -1 do
    table.insert(rest, 1, a[i]) -- the next bit comes down; the highest is 0
    rest[width + 2] = nil
    quotient[i] = M.less(rest, divisor) and 0 or 1
    if quotient[i] == 1 then rest = M.add(rest, negated) end
  end
  return quotient, M.resize(rest, width, 0)
end

--- The magnitude, unsigned.
function M.magnitude(a)
  return M.negative(a) and M.neg(a) or a
end

return M
