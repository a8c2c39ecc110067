-- A do-while with an if in its body, sealed as early as possible, and a variable
-- that is read only after the loop: a construction that does not look at the
-- users of a removed phi again keeps one phi here.
local phial = ...
local fn = phial.fn("do_while", { "c:i1" }, "i64", { rules = false })
local x, c = fn:var "x", fn:param(1)
local entry, body = fn:entry(), fn:block "body"
local yes, no, join, done = fn:block "yes", fn:block "no", fn:block "join", fn:block "done"
entry:write(x, entry:add(1, 2))
entry:jump(body)
body:branch(body:read(c), yes, no)
yes:seal()
no:seal()
yes:jump(join)
no:jump(join)
join:seal()
join:branch(join:read(c), body, done)
body:seal()
done:seal()
done:ret(done:read(x))
fn:finish()
return fn
