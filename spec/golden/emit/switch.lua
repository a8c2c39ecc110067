local phial = ...
-- Edges of a switch: two of them bring the same, and share a continuation; with
-- parameters of blocks, each has arguments of its own.
return phial.parse [[
fn choose(%x: i8) -> i64 {
entry:
  switch %x, other [-1:i8: join, 5:i8: join, 7:i8: join, 9:i8: other]
other: <- entry, entry
  jump join
join: <- entry, entry, entry, other
  %r: i64 = phi r [entry: 1, entry: 2, entry: 1, other: 3]
  ret %r
}]]
