-- The operand variant is incomplete: when the phi of `loop` turns out to be 1, that of
-- `join`, its user, is trivial; but only the unique operand is examined again, and 1 is
-- not a phi. Finish removes what remains.
local phial = ...
local texts = {}
local function log(e)
  if e.event == "trivial" or e.event == "redundant" then
    texts[#texts + 1] = ("-- %s: %%%d of %s\n"):format(e.event, e.value_id, e.block:name())
  end
end
local fn = phial.fn("f", { "c:i1" }, "i64", {
  construction = "operand", rules = false, log = log,
})
local x, c = fn:var "x", fn:arg(1)
local entry, loop, join = fn:entry(), fn:block "loop", fn:block "join"
entry:write(x, 1)
entry:branch(c, loop, join)
loop:read(x)
loop:branch(c, loop, join)
join:seal()
join:ret(join:read(x))
texts[#texts + 1] = fn:text()
loop:seal()
texts[#texts + 1] = fn:text()
fn:finish()
texts[#texts + 1] = fn:text()
return texts
