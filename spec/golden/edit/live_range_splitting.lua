-- A long live range is split in front of a loop: the uses in the loop, and after it, are
-- of a copy, which can have another register; on the other way x is the value itself.
local phial = ...
local fn = phial.parse [[
fn split(%c: i1, %n: i64) -> i64 {
entry:
  %x: i64 = mul %n, %n
  branch %c, before, other
before: <- entry
  jump head
head: <- before, head
  %i: i64 = phi i [before: 0, head: %next]
  %next: i64 = add %i, %x
  %more: i1 = slt %next, 1000
  branch %more, head, join
other: <- entry
  jump join
join: <- head, other
  %s: i64 = phi s [head: %next, other: %n]
  %r: i64 = add %s, %x
  ret %r
}]]
local x, before = fn:find "%x", fn:find "before"
local copy = before:back():copy(x)
fn:repair(x):define(copy, copy):rewrite()
return fn
