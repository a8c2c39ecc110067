-- Two variables change places in a loop: the phis use each other, and take
-- their values at once.
local phial = ...
local fn = phial.fn("swap", { "a", "b", "n" }, "i64", { rules = false })
local a, b, n = table.unpack(fn:params())
local i, t = fn:var "i", fn:var "t"
local entry, head, body, done = fn:entry(), fn:block "head", fn:block "body", fn:block "done"
entry:write(i, 0)
entry:jump(head)
head:branch(head:slt(head:read(i), head:read(n)), body, done)
body:seal()
done:seal()
body:write(t, body:read(a))
body:write(a, body:read(b))
body:write(b, body:read(t))
body:write(i, body:add(body:read(i), 1))
body:jump(head)
head:seal()
done:ret(done:sub(done:read(a), done:read(b)))
fn:finish()
return fn
