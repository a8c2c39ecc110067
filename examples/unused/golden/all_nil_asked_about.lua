local a
if f() then a = {} end
if a then a.x = 1 end
if not a then a = {} end
a.x = 2
local b
if f() then b = {} end
if b == nil then return end
b.x = 1
local c
if f() then c = {} end
assert(c, "no c").x = 1
c.x = 2
local d
if f() then d = {} else error "no d" end
d.x = 1
local e, ok
if f() then e, ok = {}, true end
if ok then e.x = 1 end
local h, k = nil, g()
if not k then h = 1 end
if k then print() else print(h + 1) end
local y = e and e.x
local z = f() and h or y
return z
