-- Equal values: within a block at once; from a block to one that it dominates
-- at once, over joins too, when all between is sealed, else in `finish`; never from
-- one branch to the other.
local phial = ...
local fn = phial.fn("dominated", { "a", "b", "c:i1" }, "i64", { rules = phial.rules() })
local a, b, c = table.unpack(fn:params())
local entry = fn:entry()
local left, right, join = fn:block("left", 1), fn:block("right", 1), fn:block("join", 2)
local last = fn:block "last"
local sum = entry:add(entry:read(a), entry:read(b))
assert(entry:add(entry:read(b), entry:read(a)) == sum)
entry:branch(entry:read(c), left, right)
assert(left:add(left:read(a), left:read(b)) == sum)
left:write(a, left:mul(sum, 3))
left:jump(join)
right:write(a, right:mul(sum, 3))
right:jump(join)
assert(join:add(join:read(b), fn:arg(1)) == sum)
join:jump(last)
local again = last:add(fn:arg(2), fn:arg(1))
assert(again ~= sum)
last:ret(last:add(last:read(a), again))
fn:finish()
assert(again == sum and again:now() == sum)
return fn
