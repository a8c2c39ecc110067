-- without --all: only what is sure
local a
a.x = 1
local b
if f() then b = {} end
b.x = 1
local c
for i = 1, 3 do
  if c then print(c .. i) end
  print(#c)
  c = "c"
end
local d = f()
if not d and not d.x then return end
local e = f()
if e == nil then print(e.x) end
local g = f()
if g == nil then print "no g" end
g.x = 1
local h, i = f(), f()
if not (h == nil and i == nil) then print("h is " .. h) end
local j
repeat
  local line = f()
  if line == "begin" then j = {} elseif j and line ~= "end" then j[#j + 1] = line end
until line == "end"
print(#j)
local k = f()
local l = k and k.l
print(l.x, k.x)
local function m(n, whence)
  if not n then print(n.x) end
  local base
  whence = whence or "set"
  if n == f then print() end
  if whence == "set" then base = 0 elseif whence == "end" then base = #n end
  return base + 1
end
m()
