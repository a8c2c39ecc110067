-- Forward and backward; the label of the inner scope is another one.
local phial = ...
return phial.build("count", { "n:i64" }, "i64", function(b, v)
  v.i = 0
  b:label "again"
  b:if_(v.i:sge(v.n), function() b:goto_ "out" end)
  b:scope(function()
    b:if_((v.i & 1):eq(0), function() b:goto_ "out" end)
    v.i = v.i + 10
    b:label "out"
  end)
  v.i = v.i + 1
  b:goto_ "again"
  b:label "out"
  b:ret(v.i)
end)
