local a
a.x = 1
local b
if f() then b = {} end
b.x = 1
local c
if f() then c = 1 elseif g() then c = 2 else c = 3 end
print(c + 1)
local d
while f() do d = g end
d()
local e
for i = 1, 3 do
  if e then print(e .. i) end
  print(#e)
  e = "e"
end
