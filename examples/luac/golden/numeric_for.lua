-- FORPREP, FORLOOP
local function sum(n, step)
  local s = 0
  for i = 1, n do s = s + i end
  for x = n, 0.5, step do
    if x == s then break end
    s = s - x
  end
  return s
end
