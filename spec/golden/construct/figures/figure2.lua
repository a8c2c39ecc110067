-- After Figure 2 of the paper: a variable that is written on one way through a
-- loop's body has a phi at the body's end and one at the loop's head.
local phial = ...
local fn = phial.fn("figure2", { "n", "m" }, "i64", { rules = false })
local x, n, m = fn:var "x", table.unpack(fn:params())
local entry, head, body = fn:entry(), fn:block "head", fn:block "body"
local change, latch, done = fn:block "change", fn:block "latch", fn:block "done"
entry:write(x, 1)
entry:jump(head)
head:branch(head:slt(head:read(n), 10), body, done)
body:seal()
done:seal()
body:branch(body:slt(body:read(m), 10), change, latch)
change:seal()
change:write(x, change:add(change:read(n), 1))
change:jump(latch)
latch:seal()
latch:jump(head)
head:seal()
done:ret(done:read(x))
fn:finish()
return fn
