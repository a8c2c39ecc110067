local phial = ...
-- A function without a result, and one block that is never left.
return phial.parse [[
fn nothing(%c: i1) {
entry:
  branch %c, ever, never
ever: <- entry, ever
  jump ever
never: <- entry
  unreachable
}]]
