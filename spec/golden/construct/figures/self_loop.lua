-- A block that is its own predecessor.
local phial = ...
local fn = phial.fn("self_loop", { "n" }, "i64", { rules = false })
local n = fn:param(1)
local i, k = fn:var "i", fn:var "k"
local entry, loop, done = fn:entry(), fn:block "loop", fn:block "done"
entry:write(i, 0)
entry:write(k, 7)
entry:jump(loop)
loop:write(i, loop:add(loop:read(i), loop:read(k)))
loop:branch(loop:slt(loop:read(i), loop:read(n)), loop, done)
loop:seal()
done:seal()
done:ret(done:read(i))
fn:finish()
return fn
