local phial = ...
-- Names are unique; in CPS, those that are not identifiers are in backquotes.
return phial.parse [[
fn "a b"(%ret: i64, %"x`y": i64, %x: i1, %true: i1) -> i64 {
"let":
  branch %x, x, "c d"
x: <- "let"
  %b4: i64 = add %ret, %"x`y"
  jump "c d"
"c d": <- "let", x
  %1: i64 = phi ret ["let": 1, x: %b4]
  %y: i64 = select %true, %1, 7
  ret %y
}]]
