-- The limit is computed once; what the body does to i does not count.
local phial = ...
return phial.build("sum", { "n:i64" }, "i64", function(b, v)
  v.s = 0
  b:for_("i", 1, v.n, function()
    v.n = 0
    v.i = v.i * v.i
    v.s = v.s + v.i
  end)
  b:ret(v.s)
end)
