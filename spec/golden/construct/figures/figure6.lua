-- After Figure 6 of the paper: the outer loop writes x and needs its phi; the
-- inner one, with two entries, does not: a redundant set within a set that is
-- not redundant.
local phial = ...
local fn = phial.fn("figure6", { "c:i1" }, "i64", { rules = false })
local x, c = fn:var "x", fn:param(1)
local entry, head = fn:entry(), fn:block "head"
local left, right = fn:block "left", fn:block "right"
local latch, done = fn:block "latch", fn:block "done"
entry:write(x, 1)
entry:jump(head)
head:branch(head:read(c), left, right)
local a = left:read(x)
left:branch(left:read(c), right, latch)
local b = right:read(x)
right:branch(right:read(c), left, latch)
latch:seal()
latch:write(x, latch:add(latch:read(x), 1))
latch:branch(latch:read(c), head, done)
done:seal()
done:ret(done:read(x))
fn:finish()
assert(a == b and a:op() == "phi" and a:block() == head)
return fn
