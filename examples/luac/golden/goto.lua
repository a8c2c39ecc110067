-- a loop with two ways in: irreducible
local function irreducible(a, b)
  local n = 0
  if a then goto second end
  ::first::
  n = n + 1
  ::second::
  b = b - 1
  if b > n then goto first end
  if b > 0 then goto second end
  return n
end
