-- The same at each use: no phi is needed, and the value itself is not used any more.
local phial = ...
local fn = phial.parse [[
fn again(%c: i1, %n: i64) -> i64 {
entry:
  %x: i64 = add %n, 8
  branch %c, far, near
far: <- entry
  %z: i64 = mul %n, %x
  jump join
near: <- entry
  jump join
join: <- far, near
  %v: i64 = phi [far: %z, near: %n]
  %r: i64 = add %v, %x
  ret %r
}]]
local x = fn:find "%x"
local r = fn:repair(x)
for _, user in ipairs(x:users()) do
  local again = user:before():add(table.unpack(x:args()))
  r:define(again, again)
end
r:rewrite()
fn:clean { dead = true }
return fn
