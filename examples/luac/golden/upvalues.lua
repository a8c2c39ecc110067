-- GETUPVAL, SETUPVAL, through two functions
local x, y = 1
local function outer()
  x = x + 1
  return function()
    y = x
    return y
  end
end
