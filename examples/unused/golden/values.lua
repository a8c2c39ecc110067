local y = 1
y = 2
print(y)
y = 3
local z = 0
if y then z = 1 else z = 2 end
print(z)
z = z + 1
local n
n = 1
n = nil
