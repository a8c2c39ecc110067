-- Out of two loops at once, by the loop; on in the outer one, by its level.
local phial = ...
return phial.build("find", { "n:i64", "x:i64" }, "i64", function(b, v)
  v.i = 0
  b:loop(function(rows)
    v.i = v.i + 1
    v.j = 0
    b:loop(function()
      v.j = v.j + 1
      b:if_((v.i * v.j):eq(v.x), function() b:break_(rows) end)
      b:if_(v.j:eq(v.n), function() b:continue_(2) end)
    end)
  end)
  b:ret(v.i * 1000 + v.j)
end)
