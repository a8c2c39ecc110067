-- Each condition is computed only when those before it are false.
local phial = ...
return phial.build("sign", { "n:i64" }, "i64", function(b, v)
  b:if_(v.n:slt(0), function()
    v.s = -1
  end, function() return v.n:sgt(0) end, function()
    v.s = 1
  end, function()
    v.s = 0
  end)
  b:ret(v.s)
end)
