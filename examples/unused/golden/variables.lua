local x
local y = 1
local a, b = f(), g()
local _, c = f()
local _ignored = 2
local function local_function() end
local value = a and 1 or 2
local other = a or g()
return b
