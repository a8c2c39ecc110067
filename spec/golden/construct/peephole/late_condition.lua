-- The condition is known when the loop is sealed and its phi goes: `finish`
-- makes the branch a jump, and what follows it goes.
local phial = ...
local fn = phial.fn("late_condition", { "n" }, "i64", { rules = phial.rules() })
local n, debug, s = fn:param(1), fn:var("debug", "i1"), fn:var "s"
local entry, head, body = fn:entry(), fn:block "head", fn:block "body"
local trace, next, done = fn:block "trace", fn:block "next", fn:block "done"
entry:write(debug, false)
entry:write(s, 0)
entry:jump(head)
head:branch(head:slt(head:read(s), head:read(n)), body, done)
body:branch(body:read(debug), trace, next)
trace:call("print", false, trace:read(s))
trace:write(s, trace:add(trace:read(s), 100))
trace:jump(next)
next:write(s, next:add(next:read(s), 1))
next:jump(head)
done:ret(done:read(s))
fn:finish()
return fn
