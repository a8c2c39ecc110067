-- Two keys of one arm, a negative key, an arm that returns.
local phial = ...
return phial.build("days", { "month:i8", "leap:i1" }, "i64", function(b, v)
  local function short() return 30 end
  v.days = b:switch_(v.month, {
    [2] = function() return v.leap:zext "i64" + 28 end,
    [4] = short, [6] = short, [9] = short, [11] = short,
    [-1] = function() b:ret(0) end,
    default = function() return 31 end,
  })
  b:ret(v.days)
end)
