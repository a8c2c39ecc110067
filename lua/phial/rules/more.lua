--- Rules that were found, with the weakest guards that are known, proved at all widths: a text for
-- phial.rules and R:add. They reach what "int" leaves, and each of them applies to something in
-- bzip2, lua, sqlite, zlib, or LLVM's own tests, whose terms R:generalise made rules of. Rules that
-- differ in ops only, or in the order of a select, are one here. They hold whatever a shift by too
-- much is taken to mean.
return [[
let if_eq(x, y, v, w) = select(x == y, v, w) | select(x ~= y, w, v)
let if_0(x, v, w) = select(x == 0, v, w) | select(x ~= 0, w, v)
let if_neg(x, v, w) = select(x < 0, v, w) | select(x > -1, w, v)

-- comparisons of one value or two, joined
mask_0: [bor|band]([eq|ne](x & y, 0), [eq|ne](y, 0)) => [eq|ne](x & y, 0)
not_or_end: (x == [INT_MIN|0|INT_MAX|-1]) | [sle|ule|sge|uge](y, ~x) => [sle|ule|sge|uge](y, ~x)
not_and_end: (x ~= [INT_MIN|0|INT_MAX|-1]) & [sgt|ugt|slt|ult](y, ~x) => [sgt|ugt|slt|ult](y, ~x)
implied: [bor|band]([band|bor]([eq|ne](x, A), _), [ne|eq](x, B)) => [ne|eq](x, B) if A ~= B
both_0: [band|bor]([eq|ne](x, 0), [eq|ne](y, 0)) => [eq|ne](x | y, 0)
both_sign: [band|bor|band|bor]([slt|slt|sgt|sgt](x, [0|0|-1|-1]), [slt|slt|sgt|sgt](y, [0|0|-1|-1]))
  => [slt|slt|sgt|sgt]([band|bor|bor|band](x, y), [0|0|-1|-1])
xor_lt_gt: (x < 0) ~ (y > -1) => (x ~ y) > -1
and_ult_k: ult(x, C) & ult(y, C) => ult(x | y, C) if pow2(C)
near_k: [bor|band]([eq|ne](x, A), [eq|ne](x, B)) => [ult|ugt](x + -A, [2|1]) if B == A + 1
bit_apart: [bor|band]([eq|ne](x, A), [eq|ne](x, B)) => [eq|ne](x & ~(A ~ B), A)
  if pow2(A ~ B) and A & B == A
or_max_lt: (x == INT_MAX) | (x < 0) => ugt(x, INT_MAX - 1) if width(x) > 1
or_m1_ult: (x == -1) | ult(x, INT_MIN) => x > -2
or_min_sgt: (x == INT_MIN) | (x > -1) => ult(x, INT_MIN + 1) if width(x) > 1
or_0_ugt: (x == 0) | ugt(x, INT_MAX) => x < 1 if width(x) > 1
ne_last_gt: (x ~= A) & [sgt|ugt](x, B) => [sgt|ugt](x, A) if A == B + 1 and B ~= [INT_MAX|-1]
eq_inner_lt: [slt|ult](x, A) & [sgt|ugt](x, B) => x == A - 1 if A - 1 == B + 1 and [slt|ult](B, A)
in_range: (x < A) & (x > B) => ult(x + -(B + 1), A - (B + 1)) if B < A and A ~= B + 1
in_urange: ult(x, A) & ugt(x, B) => ult(x + -(B + 1), A - (B + 1)) if ult(B, A) and A ~= B + 1
off_range: (x < A) | (x > B) => ugt(x + -A, B - A) if A < B
off_urange: ult(x, A) | ugt(x, B) => ugt(x + -A, B - A) if ult(A, B)
ne_end_ult: (x ~= 0) & ult(x, A) => ult(x + -1, A - 1) if ugt(A, 1)
eq_end_ugt: (x == 0) | ugt(x, A) => ugt(x + -1, A - 1) if ugt(A, 0)
range_grow: (x == A) | ult(x + B, C) => ult(x + B, C + 1) if A + B == C and C ~= -1
range_down: (x == A) | ult(x + B, C) => ult(x + (B + 1), C + 1) if A + B == -1 and C ~= -1
mask_in: [band|bor]([ne|eq](x & A, 0), [ne|eq](x & B, 0)) => [ne|eq](x & A, 0) if A & B == A
mask_all: [band|bor]([eq|ne](x & A, C), [eq|ne](x & B, D)) => [eq|ne](x & (A | B), C | D)
  if C & ~A == 0 and D & ~B == 0 and (C ~ D) & A & B == 0
mask_bits: [band|bor]([ne|eq](x & A, 0), [ne|eq](x & B, 0)) => [eq|ne](x & (A | B), A | B)
  if pow2(A) and pow2(B) and A ~= B
mask_sub: [band|bor]([eq|ne](x & A, C), [ne|eq](x & B, 0)) => [eq|ne](x & A, C)
  if C & B ~= 0 and C & ~A == 0
mask_not: [band|bor]([eq|ne](x & A, C), [ne|eq](x & B, 0)) => [false|true]
  if C & B == 0 and B & ~A == 0
subset: [band|bor]([ne|eq](x & A, x), [ne|eq](x & B, x)) => [ne|eq](x & A, x) if A & B == B
full: [band|bor]([ne|eq](x & A, A), [ne|eq](x & B, B)) => [ne|eq](x & A, A) if A & B == A
signs_differ: [band|bor]([sgt|slt](x & y, [-1|0]), [slt|sgt](x | y, [0|-1]))
  => [slt|sgt](x ~ y, [0|-1])
and_cond: ([slt|sle|ult|ule|eq|ne](x, y) | c) & [sge|sgt|uge|ugt|ne|eq](x, y)
  => [sge|sgt|uge|ugt|ne|eq](x, y) & c
or_cond: ([slt|sle|ult|ule|eq|ne](x, y) & c) | [sge|sgt|uge|ugt|ne|eq](x, y)
  => [sge|sgt|uge|ugt|ne|eq](x, y) | c
ule_and_ne: ule(x, y) & (x ~= 0) => ult(x + -1, y)
ult_or_eq0: ult(x, y) | (y == 0) => ule(x, y + -1)
gtm1_neg_or: ((-x) > -1) | (x < 0) => x < 1 if width(x) > 1
range_no: ult(x + A, B) & ult(x + C, D) => false
  if A >= C and A - C >= 0 and B > 0 and D > 0 and A - C >= B and (A - C) + D <= INT_MAX and
    (A - C) + D > 0
mask_bit: [band|bor]([eq|ne](x & A, C), [ne|eq](x & B, 0)) => [eq|ne](x & (A | B), C | (B & ~A))
  if C & ~A == 0 and C & B == 0 and pow2(B & ~A)
eq_mask_no: [band|band|bor|bor]([eq|eq|ne|ne](x, A), [eq|ne|ne|eq](x & B, C))
  => [false|false|true|true] if not [eq|ne|eq|ne](A & B, C)
both_full: [band|bor]([eq|ne](x & A, A), [eq|ne](y & A, A)) => [eq|ne](x & y & A, A)
ne_m1_ugt: (x ~= -1) & ugt(x, A) => ult(x + -(A + 1), -(A + 2)) if ult(A, -2)
ne_max_sgt: (x ~= INT_MAX) & (x > A) => ult(x + -(A + 1), INT_MAX - (A + 1))
  if A ~= INT_MAX and A + 1 ~= INT_MAX
ne_min_slt: (x ~= INT_MIN) & (x < A) => ult(x + INT_MAX, A + INT_MAX)
  if A ~= INT_MIN and A - 1 ~= INT_MIN
eq_max_slt: (x == INT_MAX) | (x < A) => ult(x + (INT_MIN + 1), A + (INT_MIN + 1))
  if A ~= INT_MAX and A ~= INT_MIN
eq_m1_ult: (x == -1) | ult(x, A) => ult(x + 1, A + 1) if A ~= -1 and A ~= 0
gt_and_in: (x > A) & ult(x + B, C) => false if B > 0 and C > 0 and C - B <= A + 1 and A ~= INT_MAX
lt_or_out: (x < A) | ugt(x + B, C) => true if B > 0 and C > 0 and C - B < A and C ~= INT_MAX

-- one comparison
bit_set: (shr(x, A) & 1) ~= 0 => (x & (1 << A)) ~= 0
bit_clear: (shr(x, A) & 1) == 0 => (x & (1 << A)) == 0
odd_add: [ne|eq]((x + A) & 1, 0) => [eq|ne](x & 1, 0) if A & 1 == 1
ugt_shr: ugt(shr(x, A), B) => ugt(x, (B << A) | ~(-1 << A))
  if ult(A, width(x)) and shr(B << A, A) == B
ugt_shr_f: ugt(shr(x, A), B) => false if ult(A, width(x)) and uge(B, -1 >> A)
eq_sh0: [eq|ne|eq|ne]([shr|shr|sar|sar](x, A), 0) => [ult|uge|ult|uge](x, 1 << A)
  if ult(A, width(x))
eq_shr_f: [eq|ne](shr(x, A), B) => [false|true] if ult(A, width(x)) and ult(-1 >> A, B)
slt_sar: [slt|ult](sar(x, A), B) => [slt|ult](x, B << A) if ult(A, width(x)) and sar(B << A, A) == B
sgt_sar: [sgt|ugt](sar(x, A), B) => [sgt|ugt](x, (B << A) | ~(-1 << A))
  if ult(A, width(x)) and sar(B << A, A) == B
slt_sar_n: [slt|sgt](sar(x, A), B) => [false|true]
  if ult(A, width(x)) and sar(B << A, A) ~= B and B < 0
eq_sar_m1: [eq|ne](sar(x, A), -1) => [uge|ult](x, -1 << A) if ult(A, width(x))
eq_sar_k: [eq|ne](sar(x, A), B) => [false|true] if ult(A, width(x)) and sar(B << A, A) ~= B
eq_shs: [eq|ne|eq|ne]([shr|shr|sar|sar](x, A), [shr|shr|sar|sar](y, A))
  => [ult|uge|ult|uge](x ~ y, 1 << A) if ult(A, width(x))
or_xor_0: ((x ~ y) | (z ~ u)) == 0 => (x == y) & (z == u)
add_and_1: ((x + A) & x) == B => false if A & 1 == 1 and B & 1 == 1
ult_or_k: ult(x | A, B) => false if ule(B, A)
ugt_and_k: ugt(x & A, B) => false if ule(A, B)
ult_and_k: ult(x & A, B) => true if ult(A, B)
sgt_and_k: sgt(x & A, B) => false if A >= 0 and A <= B
slt_and_n: [slt|sgt](x & A, B) => [false|true] if A >= 0 and B < 0
eq_or_k: [eq|ne](x | A, B) => [false|true] if A & ~B ~= 0
eq_and_k: [eq|ne](x & A, B) => [false|true] if B & ~A ~= 0
eq_or_mask: [eq|ne](x | A, A) => [ult|ugt](x, A + [1|0]) if ismask(A) and A ~= -1
eq_and_top: [eq|ne](x & A, A) => [ugt|ult](x, A - [1|0]) if pow2(-A)
eq_and_low: [eq|ne](x & A, 0) => [ult|uge](x, -A) if pow2(-A)
eq_and_self: [eq|ne](x & A, x) => [ult|ugt](x, A + [1|0]) if ismask(A) and A ~= -1
uge_and_self: ule(x, x & A) => ult(x, A + 1) if ismask(A) and A ~= -1
ult_and_self: ult(x & A, x) => ugt(x, A) if ismask(A)
sign_mask: [eq|ne](x & INT_MIN, 0) => [sgt|slt](x, [-1|0])
sgt_and_bit: (x & A) > 0 => (x & A) ~= 0 if A > 0
ult_or_mask: ult(x | A, B) => ult(x, B) if ismask(A) and B & A == 0
ugt_or_mask: ugt(x | A, B) => ugt(x, B) if ismask(A) and B & A == A
cmp_not: [ult|ugt|slt|sgt](~x, C) => [ugt|ult|sgt|slt](x, ~C)
ult_add: ult(x + A, B) => ugt(x, -A - 1) if A == B
ugt_add: ugt(x + A, B) => ult(x, -A) if A == B + 1
ult_dec: ult(x + -1, x) => x ~= 0
ult_add_x: ult(x + A, x) => ugt(x, ~A)
slt_dec_x: slt(x + A, x) => sge(x, INT_MIN - A) if A < 0
xor_ends: [slt|ult|slt|ult](x ~ [INT_MIN|INT_MIN|INT_MAX|INT_MAX],
    y ~ [INT_MIN|INT_MIN|INT_MAX|INT_MAX])
  => [ult|slt|ugt|sgt](x, y)
sgt_xor_min: [slt|sgt|ult|ugt](x ~ INT_MIN, C) => [ult|ugt|slt|sgt](x, C ~ INT_MIN)
sgt_xor_max: [slt|sgt|ult|ugt](x ~ INT_MAX, C) => [ugt|ult|sgt|slt](x, C ~ INT_MAX)
lt1_neg: (-x) < 1 => ult(x, INT_MIN + 1) if width(x) > 1
gt0_neg: (-x) > 0 => ugt(x, INT_MIN)
eq_ksub_x: [eq|ne](A - x, x) => [false|true] if A & 1 == 1
eq_shl1: [eq|ne](x << 1, x) => [eq|ne](x, 0) if width(x) > 1
ult_shl1: ult(x, x << 1) => x > 0 if width(x) > 1
ule_shl1: ule(x, x << 1) => x > -1 if width(x) > 1
eq_add_adds: [eq|ne](x + A, y + B) => [eq|ne](x + (A - B), y)
eq_and_shl: [eq|ne](x & -x, 0) => [eq|ne](x, 0)
ult_and_dec: ult((x + -1) & y, x) => x ~= 0
lt_not_dec: (~x & (x + -1)) < 0 => x == 0
sign_or_dec: [slt|sgt](x | (x + -1), [0|-1]) => [slt|sgt](x, [1|0]) if width(x) > 1
slt_add_min: slt(x + A, B) => sgt(x, INT_MAX - A) if A + INT_MIN == B
sgt_add_max: sgt(x + A, B) => slt(x, INT_MIN - A) if A + INT_MAX == B and B ~= INT_MAX
ult_add_min: ult(x + A, B) => sgt(x, -A - 1) if A + INT_MIN == B
sgt_add_a: sgt(x + A, B) => ult(x, INT_MIN - A) if B == A - 1 and A ~= INT_MIN
slt_add_a: slt(x + A, B) => ugt(x, INT_MAX - A) if B == A
gray_ult: ult(sar(x, A) ~ x, B) => ult(x + B, B << 1)
  if pow2(B) and B > 0 and A ~= 0 and ult(A, width(x))
gray_ugt: ugt(sar(x, A) ~ x, B) => ugt(x + (B + 1), B + B + 1)
  if ismask(B) and B ~= INT_MAX and B ~= -1 and A ~= 0 and ult(A, width(x))
eq_shl_and: [eq|ne]((x << A) & B, C) => [eq|ne](x & shr(B, A), shr(C, A))
  if ult(A, width(x)) and C & ~(-1 << A) == 0
eq_shr_and: [eq|ne](shr(x, A) & B, C) => [eq|ne](x & (B << A), C << A)
  if ult(A, width(x)) and B & ~(-1 >> A) == 0 and C & ~(-1 >> A) == 0
sle_and_self: sle(x, x & A) => slt(x, A + 1) if ismask(A) and A ~= INT_MAX and A >= 0
slt_and_self: slt(x & A, x) => sgt(x, A) if ismask(A) and A >= 0
ult_x_add: ult(x, x + A) => ult(x, -A) if A ~= 0
slt_x_dec: slt(x, x + A) => slt(x, INT_MIN - A) if A < 0
sgt_or_n: sgt(x | A, B) => true if A < 0 and B < A
eq_shr_of: [eq|ne](shr(A, _), B) => [false|true] if ult(A, B)
sgt_shr_of: [slt|sgt](shr(A, _), B) => [true|false] if A >= 0 and [slt|sle](A, B)
slt_shr_of: [slt|sgt](shr(A, _), B) => [false|true] if A >= 0 and B < 0
eq_sar_of: [eq|ne](sar(A, _), B) => [false|true]
  if A < 0 and B > 0 or A >= 0 and (B < 0 or B > A) or B < A and A < 0
ult_dec_k: ult((x + y) + -1, y) => ult(-x, y)
eq_or_shr: ((shr(x, 1) | x) & 1) ~= 0 => (x & 3) ~= 0
mul_odd_bit: [eq|ne]((x * A) & B, 0) => [eq|ne](x & 1, 0)
  if pow2(B) and pow2(A & -A) and A & -A == B

-- selects
sel_eq_min: if_eq(x, y, x, z @ ([smin|smax|umin|umax](x, y))) => z
sel_ne_min: if_eq(x, y, [smin|smax|umin|umax](x, y), x) => x
sel_min_k: select([slt|ult|sgt|ugt](x, A), x, B) => [smin|umin|smax|umax](x, B)
  if A == B + [1|1|-1|-1] and A ~= [INT_MIN|0|INT_MAX|-1]
sel_neg_or: if_neg(x, x, z @ (x | INT_MIN)) => z
sel_neg_and: if_neg(x, z @ (x & INT_MAX), x) => z
sel_pos_or: if_neg(x, x | INT_MIN, x) => x
sel_pos_and: if_neg(x, x, x & INT_MAX) => x
sel_ult_and: select(ult(x, A), x, z @ (x & B)) => z if ismask(B) and ule(A, B + 1) and A ~= 0
sel_ugt_and: select(ugt(x, A), z @ (x & B), x) => z if ismask(B) and ule(A, B)
sel_bit: if_0(x & A, 0, A) => x & A if pow2(A)
sel_xbit: if_0(x & A, A, 0) => (x & A) ~ A if pow2(A)
sel_eq_bit: select((x & A) == A, A, 0) => x & A if pow2(A)
sel_bits: if_0(x & A, ~A, -1) => x | ~A if pow2(A)
sel_cc_or: select(c | d, c, d) => c
sel_cc_and: select(c & d, c, d) => d
sel_or_f: select(c | _, false, c) => false
sel_c_false: select(c, false, c) => false
sel_eq0_add: select(x == 0, [add|bor|bxor](x, y), z) => select(x == 0, y, z)
sel_ne0_add: select(x ~= 0, z, [add|bor|bxor](x, y)) => select(x ~= 0, z, y)
sel_eq0_sub: select(x == 0, [sub|shl|shr|sar|rotl](y, x), z) => select(x == 0, y, z)
sel_ne0_sub: select(x ~= 0, z, [sub|shl|shr|sar|rotl](y, x)) => select(x ~= 0, z, y)
sel_eq1_mul: select(x == [1|-1], [mul|band](x, y), z) => select(x == [1|-1], y, z)
sel_eq0_and: select(x == 0, [band|mul](x, _), z) => select(x == 0, 0, z)
sel_eq_ksub: if_eq(x, A, B, z @ (C - x)) => z if C - A == B
sel_ult_shr: select(ult(x, A), 0, z @ (shr(x, B))) => z
  if ult(B, width(x)) and shr(A - 1, B) == 0 and A ~= 0
sel_ugt_shr: select(ugt(x, A), z @ (shr(x, B)), 0) => z if ult(B, width(x)) and shr(A, B) == 0
not_sel: ~(select(c, ~x, ~y)) => select(c, x, y)
sel_op_r: select(c, [add|sub|band|bor|bxor|mul|shl|shr|sar](x, z),
    [add|sub|band|bor|bxor|mul|shl|shr|sar](y, z))
  => [add|sub|band|bor|bxor|mul|shl|shr|sar](select(c, x, y), z)
sel_cmp_l: select(c, [slt|sle|ult|ule](x, y), [slt|sle|ult|ule](x, z))
  => [slt|sle|ult|ule](x, select(c, y, z))
sel_mask: if_0(x & A, x & B, x) => x if A | B == -1
sel_ksub: C - select(c, A, B) => select(c, C - A, C - B)
sel_shift_k: [shl|shr|sar](select(c, A, B), C)
  => select(c, [shl|shr|sar](A, C), [shl|shr|sar](B, C)) if ult(C, width(A))
sel_kshift: [shl|shr|sar](C, select(c, A, B)) => select(c, [shl|shr|sar](C, A), [shl|shr|sar](C, B))
  if ult(A, width(C)) and ult(B, width(C))
sel_count: [clz|ctz](select(c, A, B)) => select(c, [clz|ctz](A), [clz|ctz](B))
sel_cmp_k: [ne|slt|sgt|ult|ugt](select(_, A, B), C) => true
  if [ne|slt|sgt|ult|ugt](A, C) and [ne|slt|sgt|ult|ugt](B, C)
sel_min_kk: select([slt|ult|sgt|ugt](x, A), A, [smin|umin|smax|umax](x, B))
  => [smax|umax|smin|umin]([smin|umin|smax|umax](x, B), A) if [slt|ult|sgt|ugt](A, B)
sel_abs_lt: ult(select(x < 0, -x, x), C) => true if ult(INT_MIN, C)
sel_c_extf: select(c, zext(c):T, A) => select(c, 1, A)
sel_ext_k: select(c, [zext|sext](x:i1):T, 0) => [zext|sext](c & x):T
sel_ext_m1: select(c, -1:T, sext(x:i1)) => sext(c | x):T
sel_clamp_x: select([slt|sgt|ult|ugt](x:T, A), [sext|sext|zext|zext](x):U, B)
  => [sext|sext|zext|zext]([smin|smax|umin|umax](x, trunc(B):T)):U
  if [sext|sext|zext|zext](trunc(B):T):U == B and
    (trunc(B):T == A or trunc(B):T == A + [-1|1|-1|1] and A ~= [INT_MIN|INT_MAX|0|-1])
sel_clamp_y: select([slt|sgt|ult|ugt](x:T, A), B, [sext|sext|zext|zext](x):U)
  => [sext|sext|zext|zext]([smax|smin|umax|umin](x, trunc(B):T)):U
  if [sext|sext|zext|zext](trunc(B):T):U == B and trunc(B):T == A
sel_clamp_t: select([slt|sgt|ult|ugt](x:U, A), trunc(x):T, B)
  => trunc([smin|smax|umin|umax](x, A)):T if trunc(A):T == B
sel_parts: [bor|add|bxor](select(c, 0, y), select(c, z, 0)) => select(c, z, y)
sel_m1_and: select(c, 0, -1) & y => select(c, 0, y)
sel_add_ksub: select(c, 0, A - y) + y => select(c, y, A)
align_up: if_0(x & A, x, (x + (A + 1)) & ~A) => (x + A) & ~A if ismask(A) and A ~= -1
sel_min_min: select([sgt|ugt|slt|ult](x, A), A, [smin|umin|smax|umax](x, B))
  => [smin|umin|smax|umax](x, A) if [sle|ule|sge|uge](A, B)
sel_min_max: select([slt|ult|sgt|ugt](x, A), [smax|umax|smin|umin](x, B), A)
  => [smin|umin|smax|umax]([smax|umax|smin|umin](x, B), A) if [sgt|ugt|slt|ult](A, B)
sat_sub_k: select(ugt(x, A), x + B, 0) => umax(x, A) + B if A == -B
sat_add_k: select(ult(x, A), x + B, -1) => umin(x, A) + B if A == ~B
sel_lt_z: select([slt|sle|ult|ule|slt|sle|ult|ule](x, y), [x|x|x|x|y|y|y|y],
    z @ ([smin|smin|umin|umin|smax|smax|umax|umax](x, y)))
  => z
sel_lt_w: select([slt|sle|ult|ule|slt|sle|ult|ule](x, y),
    z @ ([smin|smin|umin|umin|smax|smax|umax|umax](x, y)), [y|y|y|y|x|x|x|x])
  => z
sel_lt_y: select([slt|sle|ult|ule|slt|sle|ult|ule](x, y), [y|y|y|y|x|x|x|x],
    [smin|smin|umin|umin|smax|smax|umax|umax](x, y))
  => [y|y|y|y|x|x|x|x]
sel_lt_x: select([slt|sle|ult|ule|slt|sle|ult|ule](x, y),
    [smin|smin|umin|umin|smax|smax|umax|umax](x, y), [x|x|x|x|y|y|y|y])
  => [x|x|x|x|y|y|y|y]
sel_clear: if_0(x & A, x, z @ (x & B)) => z if A | B == -1
sel_set: if_0(x & A, z @ (x | A), x) => z if pow2(A)
sel_has: if_0(x & A, x, x | A) => x if pow2(A)
sel_flip: if_0(x & A, x, x ~ A) => x & ~A if pow2(A)
sel_flop: if_0(x & A, x ~ A, x) => x | A if pow2(A)
sel_nbits: if_0(x & A, -1, ~A) => ~(x & A) if pow2(A)
sel_sar: if_neg(x, z @ (sar(x, y)), shr(x, y)) => z
sel_0_add: if_0(x, y, z @ ([add|bor|bxor](x, y))) => z
sel_0_sub: if_0(x, y, z @ ([sub|shl|shr|sar|rotl](y, x))) => z
sel_0_and: if_0(x, 0, z @ ([band|mul](x, _))) => z
sel_0_pop: if_0(x, 0, z @ ([popcnt|neg|bswap](x))) => z
sel_eq_op: if_eq(x, A, B, z @ ([add|bor|bxor|band](x, C))) => z if [add|bor|bxor|band](A, C) == B
sel_ops: [band|bor|bxor](select(c, A, B), C)
  => select(c, [band|bor|bxor](A, C), [band|bor|bxor](B, C))
sel_casts: [zext|sext|trunc](select(c, A:T, B)):U
  => select(c, [zext|sext|trunc](A):U, [zext|sext|trunc](B):U)
align_same: if_0(x & A, x, z @ ((x + A) & ~A)) => z if ismask(A) and A ~= -1

-- least and greatest
min_lt_t: [slt|ult|sgt|ugt]([smin|umin|smax|umax](_, A), B) => true if [slt|ult|sgt|ugt](A, B)
min_lt: [slt|ult|sgt|ugt]([smin|umin|smax|umax](x, A), B) => [slt|ult|sgt|ugt](x, B)
  if [sge|uge|sle|ule](A, B)
min_gt_f: [sgt|ugt|slt|ult]([smin|umin|smax|umax](_, A), B) => false if [sle|ule|sge|uge](A, B)
min_gt_k: [sgt|ugt|slt|ult]([smin|umin|smax|umax](x, A), B) => [sgt|ugt|slt|ult](x, B)
  if [sgt|ugt|slt|ult](A, B)
min_le_max: [sle|ule]([smin|umin](x, _), [smax|umax](x, _)) => true
max_lt_min: [slt|ult]([smax|umax](x, _), [smin|umin](x, _)) => false
two_min: [smin|smax|umin|umax](smin(x, y), smax(x, y)) => [smin|smax|umin|umax](x, y)
two_umin: [smin|smax|umin|umax](umin(x, y), umax(x, y)) => [smin|smax|umin|umax](x, y)
min_other: [smin|smin|smax|smax|umin|umin|umax|umax](
  z @ ([smin|smin|smax|smax|umin|umin|umax|umax](x, y)),
  [umin|umax|umin|umax|smin|smax|smin|smax](x, y))
  => z
max_other: [smin|smin|smax|smax|umin|umin|umax|umax]([smax|smax|smin|smin|umax|umax|umin|umin](x,
    y), z @ ([umin|umax|umin|umax|smin|smax|smin|smax](x, y)))
  => z
umax_part: umax(x, [band|shr](x, _)) => x
umin_part: umin(x, z @ ([band|shr](x, _))) => z
factor_min: [smin|smax|umin|umax]([smin|smax|umin|umax](x, y), [smin|smax|umin|umax](x, z))
  => [smin|smax|umin|umax]([smin|smax|umin|umax](x, y), z)
not_min: ~([smin|smax|umin|umax](~x, C)) => [smax|smin|umax|umin](x, ~C)
not_min_n: ~([smin|smax|umin|umax](~x, y)) => [smax|smin|umax|umin](x, ~y)
sub_min: (x + y) - [smin|smax|umin|umax](x, y) => [smax|smin|umax|umin](x, y)
umin_low: umin(x, A) & B => x & B if pow2(-B) and A & B == B
umin_none: umin(x, A) & B => 0 if pow2(-B) and A & B == 0
umax_shr: shr(umax(x, A), B) => shr(x, B) if ult(B, width(x)) and shr(A, B) == 0
umax_orm: umax(x, A) | B => x | B if ismask(B) and A & ~B == 0
nabs_lt: [slt|sgt](smin(x, -x), [1|0]) => [true|false] if width(x) > 1
umax_and: umax(x, A) & B => x & B if ult(A, B & -B)
umin_or: umin(_, A) | B => B if ismask(B) and ule(A, B)
umin_or2: umin(x, A) | B => x | B if ismask(B) and A | B == -1

-- bits
shr_band: shr(x & A, B) => shr(x, B) if A | ((1 << B) - 1) == -1 and ult(B, width(x))
not_sar: ~sar(~x, y) => sar(x, y)
and_sar1: sar(x, A) & 1 => shr(x, A) if A == width(x) - 1
sar_top: sar(x, A) & B => shr(x, A) if ult(A, width(x)) and B == -1 >> A
xor_or: (x | y) ~ y => x & ~y
xor_and: (x & y) ~ y => ~x & y
or_and_bits: (y | (x & A)) & B => y & B if A & B == 0
low_shl: [bor|add](y, x << A) & B => y & B if ult(A, width(x)) and ult(B, 1 << A)
or_shr_and: (y | shr(x, A)) & B => y & B if ult(A, width(x)) and B & (-1 >> A) == 0
shl_and0: (x << A) & B => 0 if ult(A, width(x)) and B & (-1 << A) == 0
shr_and0: shr(x, A) & B => 0 if ult(A, width(x)) and B & (-1 >> A) == 0
xor_shr: shr(x ~ A, B) => shr(x, B) if ult(B, width(x)) and shr(A, B) == 0
and_shl: (x & A) << B => x << B if ult(B, width(x)) and B ~= 0 and A & (-1 >> B) == (-1 >> B)
or_full: (x | A) | (y | B) => -1 if A | B == -1
or_and_xors: (x & A) | ([bor|bxor](x, y) & B) => [bor|bxor](x, y & B) if A == ~B
bswap_make: (shl(x:i16, 8) | shr(x, 8)) => bswap(x)
bswap_32: (x:i32 << 24) | (((x << 8) & 16711680) | ((shr(x, 8) & 65280) | shr(x, 24))) => bswap(x)
bswap_32b: shr(x:i32, 24) | ((shr(x, 8) & 65280) | (((x << 8) & 16711680) | (x << 24))) => bswap(x)
or_shl_all: (x << A) | B => B if ult(A, width(x)) and (-1 << A) & ~B == 0
or_and_sub: (x & A) | B => B if A & ~B == 0
and_or_sub: (x | A) & B => B if B & ~A == 0
and_xor_no: (x ~ A) & B => x & B if A & B == 0
and_xor_all: (x ~ A) & B => ~x & B if A & B == B
xor_parts: (x & A) | (~x & B) => x ~ B if A == ~B
sel_bools: [bor|bxor](c & x:i1, ~c & y) => select(c, x, y)

-- sums and products
add_adds: (x + A) + (y + B) => (x + y) + (A + B)
add_far: (x + (y + A)) + B => (x + y) + (A + B)
sub_masked: (x - (y & A)) & A => (x - y) & A if ismask(A)
add_mask: ((x << A) + B) & C => x << A if ult(A, width(x)) and ult(B, 1 << A) and C == (-1) << A
mul_less: ((x + -1) * A) + B => (x * A) + (B - A)
xor_add_k: [bxor|add](x, INT_MIN) + A => x + (A + INT_MIN)
add_xor_k: (x + A) ~ INT_MIN => x + (A + INT_MIN)
add_low: (x + A) & B => x & B if ismask(B) and A & B == 0
add_low1: (x + A) & B => x & B if A & (B | (B - 1)) == 0 and pow2(B)
and_add_m: ((x & A) + y) & B => (x + y) & B if ismask(B) and A & B == B
sub_shl_and: (y - (x << A)) & B => y & B if ult(A, width(x)) and ult(B, 1 << A)
add_bits: (x & A) + (x & B) => x & (A | B) if A & B == 0
low_or1: (x & A) + B => x | B if pow2(B) and A == ~B
not_or_and: ~(x | y) + (x & y) => ~(x ~ y)
ksub_xor: (A - x) ~ (x + B) => -1 if A + B == -1
ksub_and: -x & (x + -1) => 0
not_add: ~(x + A) => ~A - x
not_ksub: ~(A - x) => x + ~A
add_not_k: ~x + A => A - 1 - x
ksub_not: A - ~x => x + (A + 1)
add1_not: (x + 1) + ~y => x - y
not_add1: (~x + y) + 1 => y - x
neg_neg_add: -x - y => -(x + y)
neg_and1: -(shr(x, A) & 1) => sar(x << (width(x) - 1 - A), width(x) - 1) if ult(A, width(x))
mul_self_x: x * A + x => x * (A + 1)
mul_self_s: x * A - x => x * (A - 1)
mul_self_r: x - x * A => x * (1 - A)
mul_shl_a: x * A + (x << B) => x * (A + (1 << B)) if ult(B, width(x))
mul_shl_s: x * A - (x << B) => x * (A - (1 << B)) if ult(B, width(x))
shl1_sub: (x << 1) - x => x if width(x) > 1
mul_add_k: (x + A) * B + C => x * B + (A * B + C)
shl_add_k: ((x + A) << B) + C => (x << B) + ((A << B) + C) if ult(B, width(x))
even_square: (x * x) & 2 => 0
and_sub_x: (x & A) - x => -(x & ~A)
neg_shl_top: -(x << A) => x << A if A == width(x) - 1
mul_bits: (x & 1) * (y & 1) => (x & y) & 1
shl_add_shr: shr((x << A) + B, A) => (x + shr(B, A)) & (-1 >> A)
  if ult(A, width(x)) and B & ~(-1 << A) == 0
pow2_dec: ((A << x) + -1) & (A << x) => 0 if pow2(A)

-- quotients and remainders: constants divide
eq_udiv0: [eq|ne](udiv(x, A), 0) => [ult|uge](x, A) if A ~= 0
udiv_and0: udiv(x & A, B) => 0 if B ~= 0 and ult(A, B)
urem_and: urem(z @ (x & A), B) => z if B ~= 0 and ult(A, B)
srem_low: srem(x & A, B) => 0 if B > 0 and pow2(B) and A & (B - 1) == 0
srem_bit: srem(x, A) & B => x & B if pow2(A) and A > 1 and ismask(B) and ult(B, A)
udiv_small: udiv(x, C) => 0 if ult(~zero_bits(x), C)
urem_small: urem(x, C) => x if ult(~zero_bits(x), C)
sdiv_sext0: sdiv(sext(x:T):U, C) => 0 if C > 1 << (width(T) - 1) or C < -(1 << (width(T) - 1))
srem_sext: srem(z @ (sext(x:T):U), C) => z if C > 1 << (width(T) - 1) or C < -(1 << (width(T) - 1))
udiv_k_or: udiv(A, x | B) => 0 if ult(A, B)
sdiv_and0: sdiv(x & A, B) => 0 if A >= 0 and B ~= 0 and (A < B or B < -A)
srem_and: srem(z @ (x & A), B) => z if A >= 0 and B ~= 0 and (A < B or B < -A)
sdiv_zext0: sdiv(zext(x:T):U, B) => 0
  if width(T) < 63 and ugt(B - 1 + (1 << width(T)), (2 << width(T)) - 2)
srem_zext: srem(z @ (zext(x:T):U), B) => z
  if width(T) < 63 and ugt(B - 1 + (1 << width(T)), (2 << width(T)) - 2)

-- casts, conditions as numbers
zext_pop: popcnt(zext(x:T)):U => zext(popcnt(x)):U
cmp_zs: [ule|sge|ugt|slt](zext(x:T):U, sext(x)) => [true|true|false|false]
add_sext_b: sext(c:i1):T + A => select(c, A - 1, A) if A ~= 1
add_zext_b: zext(c:i1):T + A => select(c, A + 1, A) if A ~= -1
sub_zext_b: A:T - zext(c:i1) => select(c, A - 1, A) if A ~= 1 and A ~= 0
sub_sext_b: A:T - sext(c:i1) => select(c, A + 1, A) if A ~= -1 and A ~= 0
sub1_zext: 1:T - zext(c:i1) => zext(~c):T
add1_sext: sext(c:i1):T + 1 => zext(~c):T
xor1_zext: zext(c:i1):T ~ 1 => zext(~c):T
neg_zext: -(zext(c:i1):T) => sext(c):T
sub_sext_s: x:T - sext(c:i1) => x + zext(c):T
mul_zext: zext(c:i1):T * y => select(c, y, 0)
mul_bools: [zext|sext](c:i1):T * [zext|sext](d:i1) => zext(c & d):T
mul_sext_k: sext(c:i1):T * A => select(c, -A, 0)
and_sext_b: sext(c:i1):T & y => select(c, y, 0)
or_sext_b: sext(c:i1):T | y => select(c, -1, y)
and_zext_b: zext(c:i1):T & 1 => zext(c):T
shl_zext_b: (zext(c:i1):T) << A => select(c, 1 << A, 0) if ult(A, width(T)) and A ~= 0
ext_lt0: [zext|sext](x:T < 0):T => [shr|sar](x, width(x) - 1) if width(x) > 1
zext_bit: zext((x:T & 1) ~= 0):T => x & 1
zext_nbit: zext((x:T & 1) == 0):T => (x & 1) ~ 1
zext_bit_k: zext((x:T & A) ~= 0):T => shr(x, log2(A)) & 1 if pow2(A)
sext_bit_k: sext((x:T & A) ~= 0):T => sar(x << (width(x) - 1 - log2(A)), width(x) - 1) if pow2(A)
trunc_sh_lt: slt(trunc(shr(x:U, A)):T, 0) => x < 0 if A == width(x) - width(T)
sext_tr_shl: (sext(trunc(x:U):T):U) << A => x << A if ult(A, width(U)) and A >= width(U) - width(T)
sext_tr_shr: sext(trunc(shr(x:U, A)):T):U => sar(x, A) if A == width(U) - width(T)
shr_sext_b: shr(sext(c:i1):T, A) => zext(c):T if A == width(T) - 1
eq_zx_and: [eq|ne](zext(x:T):U, y & A) => [eq|ne](x, trunc(y):T) if A == -1 >> (width(U) - width(T))
zext_and: zext(trunc(x:U):T & C):U => x & zext(C):U
zext_truncs: zext([band|bor](trunc(x:U):T, trunc(y:U))):U
  => [band|bor](x, y) & (-1 >> (width(U) - width(T)))
mask_zext_or: (zext(x:T):U | y) & A => y & A if A & (-1 >> (width(U) - width(T))) == 0
sgt_zext_n: [slt|sgt](-(zext(x:T):U), [1|0]) => [true|false]
trunc_sar_s: trunc(sar(sext(x:T):U, A)):T => sar(x, width(x) - 1)
  if ult(A, width(U)) and A >= width(T)
shr_bool2: shr(zext(c:i1):T + sext(d:i1), A) => zext(~c & d):T if A == width(T) - 1 and width(T) > 1
neg_trunc: -(trunc([shr|sar](x:U, A)):T) => trunc([sar|shr](x, A)):T if A == width(U) - 1
neg_zext_s: -(zext(shr(x:T, A)):U) => sext(sar(x, A)):U if A == width(T) - 1
not_sext_and: ~(sext(c:i1):T) & y => select(c, 0, y)
trunc_shr_s: trunc(shr(sext(x:T):U, A)):T => sar(x, trunc(A):T)
  if ult(A, width(T)) and A <= width(U) - width(T)
trunc_shr_t: trunc(shr(sext(x:T):U, A)):T => sar(x, width(x) - 1)
  if A >= width(T) and A <= width(U) - width(T)
mask_trunc: [band|bor]([eq|ne](x:U & A, C), [eq|ne](trunc(x):T, D))
  => [eq|ne](x & (A | (-1 >> (width(U) - width(T)))), C | zext(D):U)
  if C & ~A == 0 and A & (-1 >> (width(U) - width(T))) == 0
sign_bit: [bor|band]([slt|sgt](trunc(x:U):T, [0|-1]), [ne|eq](x & A, 0))
  => [ne|eq](x & (A | (1 << (width(T) - 1))), 0)
sign_bits: [band|bor]([slt|sgt](trunc(x:U):T, [0|-1]), [ne|eq](x & A, 0))
  => [eq|ne](x & (A | (1 << (width(T) - 1))), A | (1 << (width(T) - 1)))
  if pow2(A) and A ~= 1 << (width(T) - 1)
eq_trunc_and: [eq|ne](trunc(x:U):T & A, B) => [eq|ne](x & zext(A):U, zext(B):U)
eq_trunc_shr: [eq|ne](trunc(shr(x:U, A)):T, B) => [eq|ne](shr(x, A), zext(B):U)
  if ult(A, width(U)) and A >= width(U) - width(T)
lt_trunc_shr: slt(trunc(shr(x:U, A)):T, 0) => (x & (1 << (A + (width(T) - 1)))) ~= 0
  if ult(A, width(U) - width(T))
trunc_adds: trunc(x + A):T - trunc(x) => trunc(A):T
cmp_sub_b: ult(x - y, zext(c:i1):T) => (x == y) & c
ule_sub_b: ule(x - y, sext(c:i1):T) => (x == y) | c
ult_bool: ult(x, zext(c:i1):T) => (x == 0) & c
ule_bool: ule(x, sext(c:i1):T) => (x == 0) | c

-- counts of bits, bytes
eq_pop: [band|bor]([eq|ne](x, A), [ne|eq](popcnt(x), B)) => [eq|ne](x, A)
  if width(x) > 1 and popcnt(A) ~= B
pop_low: popcnt(x & 1) => x & 1
clz_sar: clz(sar(C, _)) => 0 if C < 0
pop_eq0: [eq|ne](popcnt(x), C) => [eq|ne](x, -1) if C == width(x)
clz_gt: ugt(clz(x), A) => ult(x, 1 << (width(x) - 1 - A)) if ult(A, width(x))
ctz_neg: ctz(-x) => ctz(x)
bswap_ops: [band|bor|bxor](bswap(x), bswap(y)) => bswap([band|bor|bxor](x, y))
bswap_shl: bswap(bswap(x) << C) => shr(x, C) if ult(C, width(x)) and C & 7 == 0 and C ~= 0
bswap_top: bswap(shr(x, C)) => x & (-1 << C) if C == width(x) - 8
bswap_low: bswap(x << C) => x & 255 if C == width(x) - 8
eq_clz1: [eq|ne](clz(x), A) => [eq|ne](x, 1) if A == width(x) - 1 and width(x) > 1
pop_and_no: [eq|ne](popcnt(x & A), B) => [false|true] if width(x) > 1 and ult(popcnt(A), B)
ctz_or_no: [eq|ne](ctz(x | A), B) => [false|true] if A ~= 0 and width(x) > 1 and ult(ctz(A), B)
clz_or_no: [eq|ne](clz(x | A), B) => [false|true] if A ~= 0 and width(x) > 1 and ult(clz(A), B)
]]
