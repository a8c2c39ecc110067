-- The example of docs/start/frontend.md.
local phial = require "phial"
local fn   = phial.fn("sum", { "n:i64" }, "i64")
local n    = fn:param(1)
local i, s = fn:var "i", fn:var "s"
local entry, head, body, done = fn:entry(), fn:block "head", fn:block "body", fn:block "done"
entry:write(i, 0)
entry:write(s, 0)
entry:jump(head)
head:branch(head:slt(head:read(i), head:read(n)), body, done)
body:seal(); done:seal()
body:write(s, body:add(body:read(s), body:read(i)))
body:write(i, body:add(body:read(i), 1))
body:jump(head)
head:seal()
done:ret(done:read(s))
fn:finish()
