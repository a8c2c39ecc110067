local best
for i, name in ipairs(arg) do
  local length = #name
  if best == nil then print("the first is " .. name) end
  if length > 3 then best = name end
  length = 0
end
print("the last is " .. best)
