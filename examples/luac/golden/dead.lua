-- what cannot be reached is not there
local function dead(a)
  do return a end
  while a do a = a.next end
  return a
end
local function endless(a)
  while true do
    a = a + 1
    if a > 10 then return a end
  end
  return nothing
end
