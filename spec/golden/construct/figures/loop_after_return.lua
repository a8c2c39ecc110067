-- What follows a return is not reached: a dead block and, from it, a loop.
local phial = ...
local fn = phial.fn("after_return", { "n" }, "i64", { rules = false })
local x, n = fn:var "x", fn:param(1)
local entry, dead = fn:entry(), fn:block("dead", 0)
local loop, out = fn:block "loop", fn:block "out"
entry:write(x, 1)
entry:ret(entry:read(x))
dead:write(x, 2)
dead:jump(loop)
loop:write(x, loop:add(loop:read(x), loop:read(n)))
loop:branch(loop:slt(loop:read(x), 5), loop, out)
loop:seal()
out:seal()
out:ret(out:read(x))
fn:finish()
return fn
