-- n > 0 in both, but that is not one test of one value
local x
if n > 0 then x = {} end
if n > 0 then x.y = 1 end
