local phial = ...
-- A loop with two entries: arguments on the edges of a branch; in CPS a letrec of two, and
-- continuations for these edges.
return phial.parse [[
fn irreducible(%c: i1, %n: i64) -> i64 {
entry:
  branch %c, left, right
left: <- entry, right
  %a: i64 = phi a [entry: %n, right: %b2]
  %a2: i64 = sub %a, 1
  %l: i1 = sgt %a2, 0
  branch %l, right, done
right: <- entry, left
  %b: i64 = phi b [entry: %n, left: %a2]
  %b2: i64 = sub %b, 2
  %r: i1 = sgt %b2, 0
  branch %r, left, done
done: <- left, right
  %z: i64 = phi z [left: %a2, right: %b2]
  ret %z
}]]
