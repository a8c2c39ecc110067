-- After odd the flag is false, so that even follows if the loop goes on: a copy of the
-- header, for control from odd, tests only that. Then i has two definitions.
local phial = ...
local fn = phial.parse [[
fn threaded(%n: i64) -> i64 {
entry:
  jump head
head: <- entry, odd, even
  %i: i64 = phi [entry: 0, odd: %i1, even: %i2]
  %flag: i1 = phi [entry: true, odd: false, even: true]
  %more: i1 = slt %i, %n
  branch %more, body, done
body: <- head
  branch %flag, odd, even
odd: <- body
  %i1: i64 = add %i, 1
  jump head
even: <- body
  %i2: i64 = add %i, 2
  jump head
done: <- head
  ret %i
}]]
local head, odd, even, done = fn:find "head", fn:find "odd", fn:find "even", fn:find "done"
local i1, n = fn:find "%i1", fn:arg(1)
local test = fn:block "test"
odd:retarget(head, test)
local i = test:front():phi { [odd] = i1 }
test:back():branch(test:back():slt(i, n), even, done)
fn:repair(fn:find "%i", i):rewrite()
fn:clean { phis = true }
return fn
