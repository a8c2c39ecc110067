-- Two cases of a switch lead to one block: an operand for each edge.
local phial = ...
local fn = phial.fn("cases", { "n" }, "i64", { rules = false })
local x, n = fn:var "x", fn:param(1)
local entry, other, join = fn:entry(), fn:block("other", 1), fn:block("join", 3)
entry:write(x, 1)
entry:switch(entry:read(n), other, { [1] = join, [2] = join })
other:write(x, other:mul(other:read(n), 3))
other:jump(join)
join:ret(join:read(x))
fn:finish()
return fn
