-- A copy in a loop: it is made of what the variable is there, the value in the first
-- iteration and the copy itself in the others.
local phial = ...
local fn = phial.parse [[
fn split(%n: i64) -> i64 {
entry:
  %x: i64 = mul %n, %n
  jump head
head: <- entry, head
  %i: i64 = phi i [entry: 0, head: %next]
  %next: i64 = add %i, %x
  %more: i1 = slt %next, 1000
  branch %more, head, done
done: <- head
  ret %x
}]]
local x = fn:find "%x"
local copy = fn:find "%next":before():copy(x)
fn:repair(x):define(copy, copy):rewrite()
return fn
