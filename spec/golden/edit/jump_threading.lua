-- Figure 7 of the paper: A always goes on from C to D, so it can go to D at once. Then
-- two definitions of v reach D: v0, and the phi of C, which is v1 only.
local phial = ...
local fn = phial.parse [[
fn figure7(%c: i1, %d: i1, %x: i64) -> i64 {
entry:
  branch %c, A, B
A: <- entry
  %v0: i64 = add %x, 1
  jump C
B: <- entry
  %v1: i64 = mul %x, 2
  jump C
C: <- A, B
  %v: i64 = phi [A: %v0, B: %v1]
  %to_d: i1 = phi [A: true, B: %d]
  branch %to_d, D, E
D: <- C
  %y: i64 = sub %v, 3
  ret %y
E: <- C
  ret %v
}]]
local A, C, D, v0 = fn:find "A", fn:find "C", fn:find "D", fn:find "%v0"
A:retarget(C, D)
fn:repair(fn:find "%v"):define(v0, v0):rewrite()
fn:clean { phis = true }
return fn
