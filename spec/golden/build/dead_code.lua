-- What follows a way out is built, checked and dropped.
local phial = ...
return phial.build("dead", { "n:i64" }, "i64", function(b, v)
  b:loop(function()
    b:if_(v.n:eq(0), function()
      b:ret(1)
      v.n = v.n + 1
      b:while_(function() return v.n:eq(3) end, function() b:break_() end)
    end)
    b:break_()
    b:continue_()
  end)
  b:ret(v.n)
  b:ret(v.n)
end)
