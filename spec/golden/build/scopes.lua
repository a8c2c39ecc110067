-- x is declared three times; each body sees the innermost.
local phial = ...
return phial.build("shadow", { "x:i64" }, "i64", function(b, v)
  b:if_(v.x:eq(1), function()
    b:var("x", v.x + 10)
    b:scope(function()
      b:var("x", "f64", 1.5)
      v.y = v.x
    end)
    v.z = v.x
  end, function()
    v.z = v.x
  end)
  b:ret(v.z)
end)
