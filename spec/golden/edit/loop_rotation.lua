-- A while loop becomes a do-while loop after a test: the header is made again for the
-- edge from the entry, and the one in the loop is at its end then.
local phial = ...
local fn = phial.parse [[
fn rotated(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, body
  %i: i64 = phi i [entry: 0, body: %i1]
  %s: i64 = phi s [entry: 1, body: %s1]
  %t: i64 = mul %i, %i
  %more: i1 = slt %t, %n
  branch %more, body, done
body: <- head
  %s1: i64 = add %s, %t
  %i1: i64 = add %i, 1
  jump head
done: <- head
  %r: i64 = sub %s, %t
  ret %r
}]]
local entry, head, body, done = fn:entry(), fn:find "head", fn:find "body", fn:find "done"
local guard = fn:block "guard"
entry:retarget(head, guard)
local at, now = guard:front(), {}
now.i, now.s = at:phi { [entry] = 0 }, at:phi { [entry] = 1 }
now.t = at:mul(now.i, now.i)
now.more = at:slt(now.t, fn:arg(1))
guard:back():branch(now.more, body, done)
for _, name in ipairs { "i", "s", "t", "more" } do
  fn:repair(fn:find("%" .. name), now[name]):rewrite()
end
fn:clean { phis = true }
return fn
