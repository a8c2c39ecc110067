local function new()
  local value
  if f() then value = {} end
  return value
end
local a = f() and {} or nil
if type(a) == "table" then a.x = 1 end
if type(a) ~= "nil" then a.x = 1 end
local kind = type(a)
if kind == "table" then a.x = 1 end
if type(a) ~= "table" then return end
a.x = 1
local b
if f() then b = {} end
if b ~= nil then b.x = 1 end
if nil == b then b = {} end
b.x = 1
local c
while not c do c = f() end
c.x = 1
local d = new()
if not d then os.exit(1) end
d.x = 1
local e
if f() then e = {} end
local g = e
if g then e.x = 1 end
local h
if f() then h = {} end
local has_h = h ~= nil
if has_h then h.x = 1 end
local i
if f() then i = {} end
assert(type(i) == "table" and i).x = 1
i.x = 1
local j
repeat
  j = f()
  if j == nil then print "no j" else print(j.x) end
until j ~= nil
j.x = 1
local k
if f() then k = 1 end
print(k and k + 1 or 0, not k and 1 or k + 1)
