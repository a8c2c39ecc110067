-- A definition in a loop with two entries: both entries need a phi, in which the value
-- from outside and the one from the loop meet, as long as it is used there.
local phial = ...
local fn = phial.parse [[
fn two(%c: i1, %d: i1, %n: i64) -> i64 {
entry:
  %x: i64 = add %n, 1
  branch %c, left, right
left: <- entry, right
  %y: i64 = mul %x, 2
  branch %d, right, done
right: <- entry, left
  %z: i64 = mul %x, 3
  branch %d, left, done
done: <- left, right
  ret %x
}]]
local right = fn:find "right"
fn:repair(fn:find "%x"):define(right:terminator(), 77):rewrite()
return fn
