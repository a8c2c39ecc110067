local phial = ...
-- The header of a loop has a parameter for each variable that changes in it. In CPS it
-- is a letrec: it calls itself by way of the body.
return phial.build("gcd", { "a", "b" }, "i64", function(b, v)
  b:while_(function() return b:ne(v.b, 0) end, function()
    v.a, v.b = v.b, b:srem(v.a, v.b)
  end)
  b:ret(v.a)
end)
