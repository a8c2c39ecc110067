-- The paper's Figure 2, by Algorithms 1 to 4 as printed.
local phial = require "phial"
local fn = phial.fn("figure2", { "n", "m" }, "i64", { construction = "simple" })
local x, n, m = fn:var "x", fn:param(1), fn:param(2)
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
