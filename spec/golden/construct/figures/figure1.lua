-- After Figure 1 of the paper: local value numbering in one block.
local phial = ...
local fn = phial.fn("figure1", { "d" }, "i64", { rules = false })
local a, b, c, d = fn:var "a", fn:var "b", fn:var "c", fn:param(1)
local block = fn:entry()
block:write(a, 42)
block:write(b, block:read(a))
block:write(c, block:add(block:read(a), block:read(b)))
block:write(a, block:add(block:read(c), 23))
block:write(c, block:add(block:read(a), block:read(d)))
block:ret(block:read(c))
fn:finish()
return fn
