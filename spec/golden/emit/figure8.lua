local phial = ...
-- The paper's Figure 8: (a) is the source program, (b) the text in CPS.
local fn = phial.fn("f", { "x:i64" }, "i64")
local x, a = fn:param(1), fn:var "a"
local entry, then_, else_ = fn:entry(), fn:block("then", 1), fn:block("else", 1)
local next = fn:block("next", 2)
entry:branch(entry:eq(x, 0), then_, else_)
then_:write(a, 23)
then_:jump(next)
else_:write(a, 42)
else_:jump(next)
next:ret(a)
return fn:finish()
