-- After Figure 4 of the paper (4b): what construction alone makes of a program
-- whose condition is always false.
local phial = ...
local fn = phial.fn("figure4", { "x" }, "i64", { rules = false })
local x = fn:param(1)
local a, b, c = fn:var "a", fn:var "b", fn:var "c"
local entry = fn:entry()
local then_, join = fn:block("then", 1), fn:block("join", 2)
entry:write(a, entry:read(x))
entry:write(b, entry:sub(entry:read(a), entry:read(x)))
entry:write(c, entry:add(entry:read(b), 2))
entry:branch(entry:slt(entry:read(c), 2), then_, join)
then_:write(c, then_:add(then_:read(c), then_:read(a)))
then_:jump(join)
join:ret(join:add(join:read(a), join:read(c)))
fn:finish()
return fn
