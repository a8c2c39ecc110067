-- After Figure 3 of the paper: a head that is read before its back edge is
-- known has an incomplete phi until it is sealed.
local phial = ...
local fn = phial.fn("figure3", { "n" }, "i64", { rules = false })
local x, n = fn:var "x", fn:param(1)
local entry, head = fn:entry(), fn:block "head"
local body, done = fn:block "body", fn:block "done"
entry:write(x, 0)
entry:jump(head)
local seen = head:read(x)
assert(seen:op() == "phi" and #seen:args() == 0)
head:branch(head:slt(seen, head:read(n)), body, done)
body:seal()
done:seal()
body:write(x, body:add(body:read(x), 1))
body:jump(head)
head:seal()
assert(#seen:args() == 2 and head:read(n):op() == "param")
done:ret(done:read(x))
fn:finish()
return fn
