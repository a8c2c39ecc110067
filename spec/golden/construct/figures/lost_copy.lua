-- The value of x before its last change is used after the loop: a phi that
-- lives on beside its own operand.
local phial = ...
local fn = phial.fn("lost_copy", { "n" }, "i64", { rules = false })
local n = fn:param(1)
local x, y = fn:var "x", fn:var "y"
local entry, loop, done = fn:entry(), fn:block "loop", fn:block "done"
entry:write(x, 1)
entry:jump(loop)
loop:write(y, loop:read(x))
loop:write(x, loop:add(loop:read(x), 1))
loop:branch(loop:slt(loop:read(x), loop:read(n)), loop, done)
loop:seal()
done:seal()
done:ret(done:read(y))
fn:finish()
return fn
