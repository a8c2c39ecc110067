-- Two loops, one in the other: a variable of the outer loop that the inner one
-- only reads has no phi there.
local phial = ...
local fn = phial.fn("nested", { "n" }, "i64", { rules = false })
local n = fn:param(1)
local i, j, s = fn:var "i", fn:var "j", fn:var "s"
local outer, enter, inner = fn:block "outer", fn:block "enter", fn:block "inner"
local body, latch, done = fn:block "body", fn:block "latch", fn:block "done"
local entry = fn:entry()
entry:write(i, 0)
entry:write(s, 0)
entry:jump(outer)
outer:branch(outer:slt(outer:read(i), outer:read(n)), enter, done)
enter:seal()
enter:write(j, 0)
enter:jump(inner)
inner:branch(inner:slt(inner:read(j), inner:read(i)), body, latch)
body:seal()
body:write(s, body:add(body:read(s), body:read(j)))
body:write(j, body:add(body:read(j), 1))
body:jump(inner)
inner:seal()
latch:seal()
latch:write(i, latch:add(latch:read(i), 1))
latch:jump(outer)
outer:seal()
done:seal()
done:ret(done:read(s))
fn:finish()
return fn
