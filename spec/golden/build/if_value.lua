-- Arms that return values; one of them never gets to its end.
local phial = ...
return phial.build("ratio", { "a:i64", "b:i64" }, "i64", function(b, v)
  local q = b:if_(v.b:eq(0), function()
    b:ret(-1)
  end, function()
    return v.a:sdiv(v.b)
  end)
  b:ret(b:if_(q:slt(0), function() return -q end, function() return q end))
end)
