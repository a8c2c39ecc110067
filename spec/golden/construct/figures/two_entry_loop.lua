-- A loop with two entries in which a variable changes: each entry needs a phi.
local phial = ...
local fn = phial.fn("two_entries", { "c:i1" }, "i64", { rules = false })
local x, c = fn:var "x", fn:param(1)
local entry, left, right, done = fn:entry(), fn:block "left", fn:block "right", fn:block "done"
entry:write(x, 0)
entry:branch(entry:read(c), left, right)
left:write(x, left:add(left:read(x), 1))
left:jump(right)
right:write(x, right:mul(right:read(x), 2))
right:branch(right:read(c), left, done)
left:seal()
right:seal()
done:seal()
done:ret(done:read(x))
fn:finish()
return fn
