for i = 1, 10 do print() end
for k, v in pairs(t) do print(k) end
for k, v in pairs(t) do end
for _, v in ipairs(t) do v = 2 end
local last
for i = 1, 10 do
  print(last)
  last = i
end
local first = 1
repeat
  first = first + 1
  local odd = first % 2
until odd == 0 and f()
