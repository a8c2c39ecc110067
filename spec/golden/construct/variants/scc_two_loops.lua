-- The SCC variant: two loops, one in the other, are a cycle that two values enter, 0 and
-- 1. A third loop writes nothing: its header has no phi, not even for a moment.
local phial = ...
local texts = {}
local function log(e)
  if e.event == "phi" or e.event == "operand" or e.event == "trivial" then
    local by = e.operand_id and (" %%%d from %s"):format(e.operand_id, e.from:name()) or ""
    texts[#texts + 1] = ("-- %s %s: %%%d%s\n"):format(e.event, e.block:name(), e.value_id, by)
  end
end
local fn = phial.fn("f", { "c:i1" }, "i64", {
  construction = "scc", rules = false, log = log,
})
local x, c = fn:var "x", fn:arg(1)
local entry, outer, inner, body = fn:entry(), fn:block "outer", fn:block "inner", fn:block "body"
local idle, done = fn:block "idle", fn:block "done"
entry:write(x, 0)
entry:jump(outer)
outer:branch(c, inner, done)
inner:branch(c, body, idle)
body:write(x, 1)
body:jump(inner)
idle:branch(c, idle, outer)
for _, block in ipairs { outer, inner, body, idle, done } do block:seal() end
done:ret(done:read(x))
texts[#texts + 1] = fn:finish():text()
return texts
