-- An edge that is folded away counts for a block that seals itself; so does one
-- that leaves a dead block.
local phial = ...
local fn = phial.fn("folded_edge", { "n" }, "i64", { rules = phial.rules() })
local n = fn:param(1)
local entry = fn:entry()
local one, two, join = fn:block("one", 1), fn:block("two", 1), fn:block("join", 3)
entry:switch(fn:const(2), join, { [1] = one, [2] = two })
assert(one:is_sealed() and two:is_sealed() and not join:is_sealed())
one:write(n, 1)
one:jump(join)
two:write(n, two:add(two:read(n), two:mul(2, 3)))
two:jump(join)
assert(join:is_sealed())
join:ret(join:read(n))
fn:finish()
return fn
