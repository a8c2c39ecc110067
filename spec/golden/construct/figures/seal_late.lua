-- No block is sealed before finish: the same function as with early seals.
local phial = ...
local fn = phial.fn("seal_late", { "n" }, "i64", { rules = false })
local n = fn:param(1)
local i, k = fn:var "i", fn:var "k"
local entry, head, body, done = fn:entry(), fn:block "head", fn:block "body", fn:block "done"
entry:write(i, 0)
entry:write(k, 3)
entry:jump(head)
head:branch(head:slt(head:read(i), head:read(n)), body, done)
body:write(i, body:add(body:read(i), body:read(k)))
body:jump(head)
done:ret(done:add(done:read(i), done:read(k)))
fn:finish()
return fn
