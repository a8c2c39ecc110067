-- Continuing goes to the condition, which sees the body's variables.
local phial = ...
return phial.build("collatz", { "n:i64" }, "i64", function(b, v)
  v.steps = 0
  b:repeat_(function()
    v.steps = v.steps + 1
    b:var("half", v.n:shr(1))
    b:if_((v.n & 1):eq(0), function()
      v.n = v.half
      b:continue_()
    end)
    v.n = v.n * 3 + 1
  end, function() return v.n:eq(1) end)
  b:ret(v.steps)
end)
