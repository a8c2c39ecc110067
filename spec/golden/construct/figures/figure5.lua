-- After Figure 5 of the paper: a loop with two entries. Neither phi is trivial,
-- together they are redundant: x is written once.
local phial = ...
local fn = phial.fn("figure5", { "c:i1" }, "i64", { rules = false })
local x, c = fn:var "x", fn:param(1)
local entry, left, right, done = fn:entry(), fn:block "left", fn:block "right", fn:block "done"
entry:write(x, entry:add(20, 22))
entry:branch(entry:read(c), left, right)
local a = left:read(x)
left:branch(left:read(c), right, done)
right:jump(left)
right:seal()
left:seal()
done:seal()
assert(a:op() == "phi", "redundant, not trivial")
done:ret(done:read(x))
fn:finish()
assert(a:op() == "add")
return fn
