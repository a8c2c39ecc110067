-- A phi that is trivial as soon as another one is: sealing 'head' shows that x
-- is 1 there.
local phial = require "phial"
local fn = phial.fn("both", { "c:i1" }, "i64", { construction = "simple" })
local x, c, e = fn:var "x", fn:arg(1), fn:entry()
local other, head = fn:block("other", 1), fn:block "head"
local set, join = fn:block("set", 1), fn:block("join", 2)
e:write(x, 1)
e:branch(c, head, other)
head:branch(c, set, join)
set:write(x, 1)
set:jump(join)
join:ret(join:read(x))
other:jump(head)
head:seal()
fn:finish()
