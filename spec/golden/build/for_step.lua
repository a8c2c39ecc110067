-- Downwards by three: the distance to the limit tells whether there is more.
local phial = ...
return phial.build("sum", { "from:i8", "to:i8" }, "i8", { type = "i8" }, function(b, v)
  v.s = 0
  b:for_("i", v.from, v.to, -3, function()
    v.s = v.s + v.i
  end)
  b:ret(v.s)
end)
