-- A function built in another one's body gets what it needs as parameters.
local phial = ...
return phial.build("twice", { "n:i64" }, "i64", function(b, v)
  local double = phial.build("double", { "n:i64" }, "i64", function(inner, own)
    inner:ret(own.n + own.n)
  end)
  b:ret(b:call(double, "i64", v.n))
end)
