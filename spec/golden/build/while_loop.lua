-- The sum of the numbers below n.
local phial = ...
return phial.build("sum", { "n:i64" }, "i64", function(b, v)
  v.i, v.s = 0, 0
  b:while_(function() return v.i:slt(v.n) end, function()
    v.i, v.s = v.i + 1, v.s + v.i
  end)
  b:ret(v.s)
end)
