-- A cheap value that is not kept in a register: it is computed again where it is used
-- in one arm; what follows has it from there or from the entry.
local phial = ...
local fn = phial.parse [[
fn again(%c: i1, %n: i64) -> i64 {
entry:
  %x: i64 = add %n, 8
  %y: i64 = mul %x, 3
  branch %c, far, near
far: <- entry
  %z: i64 = mul %y, %x
  jump join
near: <- entry
  jump join
join: <- far, near
  %v: i64 = phi [far: %z, near: %y]
  %r: i64 = add %v, %x
  ret %r
}]]
local x = fn:find "%x"
local again = fn:find "far":front():add(table.unpack(x:args()))
fn:repair(x):define(again, again):rewrite()
return fn
