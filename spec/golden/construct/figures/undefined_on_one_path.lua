-- x is written in one arm only: its phi has an undef operand.
local phial = ...
local fn = phial.fn("undefined", { "c:i1" }, "i64", { rules = false })
local x, c = fn:var "x", fn:param(1)
local entry, set, join = fn:entry(), fn:block("set", 1), fn:block("join", 2)
entry:branch(entry:read(c), set, join)
set:write(x, 1)
set:jump(join)
join:ret(join:read(x))
fn:finish()
local reads = fn:undefined_reads()
assert(#reads == 1 and reads[1].var == x and #reads[1].path == 2)
return fn
