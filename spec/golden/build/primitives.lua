-- Blocks by hand between structures; find gives a field's variable.
local phial = ...
return phial.build("mixed", { "n:i64" }, "i64", function(b, v)
  local fn = b.fn
  local odd, even, both = fn:block "odd", fn:block "even", fn:block("both", 2)
  v.r = 0
  b:current():branch((v.n & 1):eq(1), odd, even)
  odd:seal()
  even:seal()
  b:set_current(odd)
  b:if_(v.n:sgt(100), function() v.r = 1 end)
  b:jump(both)
  even:write(b:find "r", 2)
  even:jump(both)
  b:set_current(both)
  b:ret(v.r)
end)
