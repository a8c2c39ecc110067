local phial = ...
return phial.build("integral", { "x:f64" }, "f64", function(b, v)
  v.s = 0.0
  b:for_("t", 0.0, v.x, 0.125, function()
    v.s = v.s + v.t * 0.125
  end)
  b:ret(v.s)
end)
