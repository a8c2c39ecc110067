--- Rules that R:find found in lua and sqlite, with the weakest guards, proved: a text for
-- phial.rules and R:add. They reach what "int" leaves.
return [[
bit_set:    (shr(x, A) & 1) ~= 0 => (x & (1 << A)) ~= 0
bit_clear:  (shr(x, A) & 1) == 0 => (x & (1 << A)) == 0
above_mask: (x & A) ~= 0 => ult(~A, x) if pow2(-A)
below_mask: (x & A) == 0 => ult(x, -A) if pow2(-A)
from_mask:  (x & A) == A => ult(A - 1, x) if pow2(-A)
add_adds:   (x + A) + (y + B) => (x + y) + (A + B)
add_far:    (x + (y + A)) + B => (x + y) + (A + B)
shr_band:   shr(x & A, B) => shr(x, B) if A | ((1 << B) - 1) == -1 and ult(B, width(x))
sub_masked: (x - (y & A)) & A => (x - y) & A if ismask(A)
odd_add:    ((x + A) & 1) ~= 0 => (x & 1) == 0 if A & 1 == 1
even_add:   ((x + A) & 1) == 0 => (x & 1) ~= 0 if A & 1 == 1
add_mask: ((x << A) + B) & C => x << A if ult(A, width(x)) and ult(B, 1 << A) and C == (-1) << A
mul_less:   ((x + -1) * A) + B => (x * A) + (B - A)
]]
