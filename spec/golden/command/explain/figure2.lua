-- The paper's Figure 2, by Algorithms 1 to 4 as printed.
local phial = require "phial"
local function simple(name, params, result)
  return phial.fn(name, params, result, { construction = "simple" })
end
assert(loadfile "spec/golden/construct/figures/figure2.lua")({ fn = simple })
