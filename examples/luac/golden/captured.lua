-- a register is memory from its capture on, and a variable before
local function counter(start)
  local n = start * 2
  n = n + 1
  local function add(k) n = n + k end
  add(1)
  return n, add
end
local function parameter(a, b)
  return function() a = b end
end
local function recursive(n)
  local function fact(k) return k == 0 and 1 or k * fact(k - 1) end
  return fact(n)
end
