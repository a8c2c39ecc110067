-- what is read is in memory if it may be
local function maybe(a, b)
  local x = a
  if b then global = function() x = x + 1 end end
  x = x * 2
  return x
end
