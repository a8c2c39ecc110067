local phial = ...
return phial.build("triangle", { "n" }, "i64", function(b, v)
  b:var("sum", 0)
  b:for_("i", 1, v.n, 1, function()
    b:for_("k", 1, v.i, 1, function() v.sum = b:add(v.sum, v.k) end)
  end)
  b:ret(v.sum)
end)
