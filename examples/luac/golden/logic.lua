-- TEST, TESTSET, NOT, LFALSESKIP
local function either(a, b) return a or b end
local function both(a, b)
  local c = a and b
  return not c
end
local function chosen(a, b, c) return a and b or c end
local function boolean(a, b) return a == b end
local function default(a)
  a = a or 1
  return a
end
