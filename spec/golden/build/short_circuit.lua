-- The division is done only when it is allowed.
local phial = ...
return phial.build("divides", { "a:i64", "b:i64" }, "i1", function(b, v)
  b:ret(b:and_(v.a:ne(0), function()
    return b:or_(v.a:eq(1), function() return v.b:srem(v.a):eq(0) end)
  end))
end)
