-- A goto into a loop's body: no structure has two entries otherwise.
local phial = ...
return phial.build("irreducible", { "c:i1", "n:i64" }, "i64", function(b, v)
  b:if_(v.c, function() b:goto_ "inside" end)
  b:while_(function() return v.n:sgt(0) end, function()
    v.n = v.n - 2
    b:label "inside"
    v.n = v.n - 1
  end)
  b:ret(v.n)
end)
