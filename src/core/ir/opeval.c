/* opeval.c: evaluates ops.
**
** The semantics of each op at each width, on bits and without a function, so
** that the same code folds constants and checks rules (also at widths that no
** type has).  Integers are computed as unsigned numbers of 64 bits and
** truncated to their width: wrap-around is that of C's unsigned types, and
** signed overflow cannot happen.  Floats of 32 bits are computed as doubles and
** rounded once: for + - * / a double has enough digits for rounding twice to be
** the same as rounding once.
**
** A trap is reported and never computed: a fold must not remove a trap.
*/
#include "core/ir/opeval.h"

#include <float.h>
#include <string.h>

#include "core/base/numfmt.h"
#include "core/ir/op.h"
#include "core/ir/value.h"

#if FLT_EVAL_METHOD < 0 || FLT_EVAL_METHOD == 2 /* x87 */
#error phial needs floats that are rounded after each operation: compile with -msse2 -mfpmath=sse
#endif
#if defined __FAST_MATH__ || \
    defined __FINITE_MATH_ONLY__ && __FINITE_MATH_ONLY__
#error phial needs nan, inf and -0.0: compile without -ffast-math
#endif

/*
** {== Integers =======================================================
*/

typedef struct {
  uint64_t a, b; /* unsigned */
  int64_t sa, sb;
  int width;
} pair;

static uint64_t low(int width, uint64_t i) {
  return i & (~UINT64_C(0) >> (64 - width));
}

/* Returns the lower bits of i as a signed number of that width. */
static int64_t with_sign(int width, uint64_t i) {
  uint64_t sign = (uint64_t)1 << (width - 1);
  uint64_t bits = (low(width, i) ^ sign) - sign;
  int64_t result;
  memcpy(&result, &bits, sizeof result);
  return result;
}

/* Returns i as integers of that width are stored. */
static uint64_t normal(int width, uint64_t i) {
  return width == 1 ? i & 1 : (uint64_t)with_sign(width, i);
}

/* Returns by how much to shift. */
static unsigned amount(pair p) { return (unsigned)(p.b % (unsigned)p.width); }

static uint64_t sar(pair p, unsigned n) {
  uint64_t filled = (uint64_t)p.sa >> n;
  return p.sa < 0 && n > 0 ? filled | ~UINT64_C(0) << (64 - n) : filled;
}

static bool can_divide(pair p, ph_folding *done) {
  if (p.b == 0) *done = PH_OPEVAL_TRAPS;
  return p.b != 0;
}

static uint64_t sdiv(pair p, ph_folding *done) {
  int64_t least = with_sign(p.width, (uint64_t)1 << (p.width - 1));
  if (!can_divide(p, done)) return 0;
  if (p.sa == least && p.sb == -1) *done = PH_OPEVAL_TRAPS;
  return p.sb == -1 ? 0 - p.a : (uint64_t)(p.sa / p.sb);
}

static uint64_t rotate(pair p, unsigned n) {
  n %= (unsigned)p.width;
  return n == 0 ? p.a : p.a << n | p.a >> ((unsigned)p.width - n);
}

static uint64_t count_ones(uint64_t u) {
  uint64_t n = 0;
  for (; u != 0; u &= u - 1) n++;
  return n;
}

/* Returns the position of the highest one bit, from 1; 0: there is none. */
static uint64_t top(uint64_t u) {
  uint64_t n = 0;
  for (; u != 0; u >>= 1) n++;
  return n;
}

static uint64_t swap_bytes(pair p, ph_folding *done) {
  uint64_t swapped = 0;
  if (p.width % 16 != 0) *done = PH_OPEVAL_UNKNOWN;
  for (int i = 0; i < p.width; i += 8)
    swapped = swapped << 8 | (p.a >> i & UINT8_MAX);
  return swapped;
}

/* Returns the high half of a product of 64 bits each. */
static uint64_t product_high(uint64_t a, uint64_t b) {
  const uint64_t half = UINT32_MAX;
  uint64_t lower = (a & half) * (b & half);
  uint64_t m = (a >> 32) * (b & half) + (lower >> 32);
  uint64_t n = (a & half) * (b >> 32) + (m & half);
  return (a >> 32) * (b >> 32) + (m >> 32) + (n >> 32);
}

/* Returns the bits above the lower `width` ones of a product with this high
** half. */
static uint64_t above(int width, uint64_t high, uint64_t a, uint64_t b) {
  return width == 64 ? high : high << (64 - width) | a * b >> width;
}

static uint64_t umulh(pair p) {
  return above(p.width, product_high(p.a, p.b), p.a, p.b);
}

static uint64_t smulh(pair p) {
  uint64_t a = (uint64_t)p.sa, b = (uint64_t)p.sb, high = product_high(a, b);
  if (p.sa < 0) high -= b;
  if (p.sb < 0) high -= a;
  return above(p.width, high, a, b);
}

/* Returns the bits of the result, of which the lower ones count; *done is set
** if there is none. */
static uint64_t compute_integer(ph_op op, pair p, ph_folding *done) {
  unsigned width = (unsigned)p.width;
  switch (op) {
    case PH_ADD:
      return p.a + p.b;
    case PH_SUB:
      return p.a - p.b;
    case PH_MUL:
      return p.a * p.b;
    case PH_NEG:
      return 0 - p.a;
    case PH_BAND:
      return p.a & p.b;
    case PH_BOR:
      return p.a | p.b;
    case PH_BXOR:
      return p.a ^ p.b;
    case PH_BNOT:
      return ~p.a;
    case PH_SHL:
      return p.a << amount(p);
    case PH_SHR:
      return p.a >> amount(p);
    case PH_SAR:
      return sar(p, amount(p));
    case PH_SDIV:
      return sdiv(p, done);
    case PH_UDIV:
      return can_divide(p, done) ? p.a / p.b : 0;
    case PH_SREM:
      if (!can_divide(p, done) || p.sb == -1) return 0;
      return (uint64_t)(p.sa % p.sb);
    case PH_UREM:
      return can_divide(p, done) ? p.a % p.b : 0;
    case PH_ROTL:
      return rotate(p, amount(p));
    case PH_ROTR:
      return rotate(p, width - amount(p));
    case PH_BSWAP:
      return swap_bytes(p, done);
    case PH_CLZ:
      return width - top(p.a);
    case PH_CTZ:
      return count_ones(low(p.width, ~p.a & (p.a - 1)));
    case PH_POPCNT:
      return count_ones(p.a);
    case PH_SMIN:
      return p.sa < p.sb ? p.a : p.b;
    case PH_SMAX:
      return p.sa > p.sb ? p.a : p.b;
    case PH_UMIN:
      return p.a < p.b ? p.a : p.b;
    case PH_UMAX:
      return p.a > p.b ? p.a : p.b;
    case PH_UMULH:
      return umulh(p);
    case PH_SMULH:
      return smulh(p);
    default:
      *done = PH_OPEVAL_UNKNOWN;
      return 0;
  }
}

static bool compare_integers(ph_op op, pair p, ph_folding *done) {
  switch (op) {
    case PH_EQ:
      return p.a == p.b;
    case PH_NE:
      return p.a != p.b;
    case PH_SLT:
      return p.sa < p.sb;
    case PH_SLE:
      return p.sa <= p.sb;
    case PH_SGT:
      return p.sa > p.sb;
    case PH_SGE:
      return p.sa >= p.sb;
    case PH_ULT:
      return p.a < p.b;
    case PH_ULE:
      return p.a <= p.b;
    case PH_UGT:
      return p.a > p.b;
    case PH_UGE:
      return p.a >= p.b;
    default:
      *done = PH_OPEVAL_UNKNOWN;
      return false;
  }
}

static pair pair_of(ph_op op, int width, const uint64_t *args) {
  bool is_unary = ph_op_operands(op)[1] == '\0';
  uint64_t a = args[0], b = is_unary ? 0 : args[1];
  return (pair){low(width, a), low(width, b), with_sign(width, a),
                with_sign(width, b), width};
}

static uint64_t on_integers(ph_op op, int width, const uint64_t *args,
                            ph_folding *done) {
  pair p = pair_of(op, width, args);
  if (ph_op_iscompare(op)) return compare_integers(op, p, done);
  return normal(width, compute_integer(op, p, done));
}

/* }== Floats ========================================================= */

static uint64_t from_double(int width, double d) {
  uint64_t bits;
  if (width == 32) d = (float)d;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

enum { MANTISSA = 52, BIAS = 1075 };

/* Returns m with 2^52 <= m < 2^53, and stores e: d, positive, is m * 2^e. */
static uint64_t significand(double d, int *e) {
  const uint64_t one = (uint64_t)1 << MANTISSA;
  uint64_t bits = from_double(64, d), m = bits & (one - 1);
  *e = (int)(bits >> MANTISSA) - BIAS;
  if (*e > -BIAS) return m | one;
  for (*e = 1 - BIAS; m < one; m <<= 1) --*e;
  return m;
}

/* Returns the square root of m * 2^54 digit by digit, with 54 digits, and a
** last one that is set if a rest remains (sticky bit). */
static uint64_t root_of(uint64_t m) {
  uint64_t root = 0, rest = 0;
  for (int i = 53; i >= 0; i--) {
    rest = rest << 2 | (i >= 27 ? m >> 2 * (i - 27) & 3 : 0);
    root <<= 1;
    if (rest <= 2 * root) continue;
    rest -= 2 * root + 1;
    root++;
  }
  return root << 1 | (rest != 0);
}

/* What has no digits has the root, or nan, that the host computes.  The root of
** a float of 32 bits may be rounded twice: a double has more than twice its
** digits and two. */
static double square_root(double d) {
  uint64_t m;
  int e;
  if (d < 0) return (d - d) / (d - d);
  if (!(d > 0 && d <= DBL_MAX)) return d + d;
  m = significand(d, &e);
  m = root_of(e % 2 == 0 ? m : m << 1);
  e = (e - (e % 2 != 0) - 54) / 2 - 1;
  return ph_numfmt_double(from_double(64, (double)m) +
                          ((uint64_t)(int64_t)e << MANTISSA));
}

/* Returns d rounded to an integer.  From 2^52 on, floats have no fraction: with
** that added, the magnitude is rounded to the nearest. */
static uint64_t round_to_integer(ph_op op, uint64_t bits) {
  const double big = ph_numfmt_double((uint64_t)BIAS << MANTISSA);
  uint64_t sign = bits & PH_SIGN_BIT;
  double d = ph_numfmt_double(bits ^ sign), r = d + big - big;
  if (!(d < big)) return bits;
  if (op == (sign != 0 ? PH_FFLOOR : PH_FCEIL)) {
    if (r < d) r++;
  } else if (op != PH_FNEAREST && r > d) {
    r--;
  }
  return from_double(64, r) | sign;
}

/* True if the lesser or greater one is the first. */
static bool prefers_first(ph_op op, double a, double b) {
  bool is_least = op == PH_FMINIMUM || op == PH_FMINNUM;
  if (a != a || b != b)
    return (a != a) == (op == PH_FMINIMUM || op == PH_FMAXIMUM);
  if (a == b) return is_least == (from_double(64, a) >= PH_SIGN_BIT);
  return is_least == (a < b);
}

static double float_arithmetic(ph_op op, double a, double b, ph_folding *done) {
  switch (op) {
    case PH_FADD:
      return a + b;
    case PH_FSUB:
      return a - b;
    case PH_FMUL:
      return a * b;
    case PH_FDIV:
      return a / b;
    case PH_FMINIMUM:
    case PH_FMAXIMUM:
    case PH_FMINNUM:
    case PH_FMAXNUM:
      return prefers_first(op, a, b) ? a : b;
    default:
      *done = PH_OPEVAL_UNKNOWN;
      return 0;
  }
}

static bool compare_floats(ph_op op, double a, double b, ph_folding *done) {
  switch (op) {
    case PH_FEQ:
      return a == b;
    case PH_FNE:
      return a != b;
    case PH_FLT:
      return a < b;
    case PH_FLE:
      return a <= b;
    case PH_FGT:
      return a > b;
    case PH_FGE:
      return a >= b;
    default:
      *done = PH_OPEVAL_UNKNOWN;
      return false;
  }
}

static uint64_t on_floats(ph_op op, int width, const uint64_t *args,
                          ph_folding *done) {
  double a = ph_numfmt_double(args[0]), b;
  switch (op) {
    case PH_FNEG:
      return args[0] ^ PH_SIGN_BIT;
    case PH_FABS:
      return args[0] & ~PH_SIGN_BIT;
    case PH_FSQRT:
      return from_double(width, square_root(a));
    case PH_FFLOOR:
    case PH_FCEIL:
    case PH_FTRUNC:
    case PH_FNEAREST:
      return round_to_integer(op, args[0]);
    case PH_COPYSIGN:
      return (args[0] & ~PH_SIGN_BIT) | (args[1] & PH_SIGN_BIT);
    default:
      b = ph_numfmt_double(args[1]);
      if (ph_op_iscompare(op)) return compare_floats(op, a, b, done);
      return from_double(width, float_arithmetic(op, a, b, done));
  }
}

/* }== Casts ========================================================== */

static uint64_t to_float(ph_op op, ph_number from, int width, uint64_t i) {
  uint64_t u = low(from.width, i);
  int64_t s = with_sign(from.width, i);
  if (width == 32) /* through double, it would be rounded twice */
    return from_double(64, op == PH_ITOF ? (double)(float)s : (double)(float)u);
  return from_double(64, op == PH_ITOF ? (double)s : (double)u);
}

static double power(int n) {
  double d = 1;
  while (n-- > 0) d *= 2;
  return d;
}

/* Converts towards zero.  If least - 1 is not a double, no double lies between
** it and least. */
static uint64_t to_int(ph_op op, int width, double d, ph_folding *done) {
  bool is_signed = op == PH_FTOI || op == PH_FTOI_SAT;
  double limit = power(is_signed ? width - 1 : width);
  double least = is_signed ? -limit : 0;
  uint64_t most = low(width, ~UINT64_C(0)) >> is_signed;
  if ((d >= least || d > least - 1) && d < limit)
    return normal(width, is_signed ? (uint64_t)(int64_t)d : (uint64_t)d);
  if (op == PH_FTOI || op == PH_FTOU) *done = PH_OPEVAL_TRAPS;
  if (d > 0) return normal(width, most);
  return d < 0 && is_signed ? normal(width, most + 1) : 0;
}

/* Returns the bits of a float of 32 bits; a nan keeps its bits. */
static uint64_t single_bits(uint64_t bits) {
  double d = ph_numfmt_double(bits);
  float f = (float)d;
  uint32_t low_bits;
  if (d != d)
    return bits >> 63 << 31 | UINT64_C(0xff) << 23 | (bits >> 29 & 0x7fffff);
  memcpy(&low_bits, &f, sizeof low_bits);
  return low_bits;
}

static uint64_t single_value(uint64_t bits) {
  uint32_t low_bits = (uint32_t)bits;
  float f;
  memcpy(&f, &low_bits, sizeof f);
  if (f != f)
    return (bits & UINT64_C(0x80000000)) << 32 | UINT64_C(0x7ff) << 52 |
           (bits & 0x7fffff) << 29;
  return from_double(64, f);
}

static uint64_t bitcast(ph_number from, ph_number to, uint64_t a) {
  if (from.is_float == to.is_float) return a;
  if (from.width == 64) return a;
  return from.is_float ? normal(32, single_bits(a)) : single_value(a);
}

static uint64_t cast_number(ph_op op, ph_number from, ph_number to, uint64_t a,
                            ph_folding *done) {
  switch (op) {
    case PH_TRUNC:
    case PH_ZEXT:
      return normal(to.width, low(from.width, a));
    case PH_SEXT:
      return normal(to.width, (uint64_t)with_sign(from.width, a));
    case PH_ITOF:
    case PH_UTOF:
      return to_float(op, from, to.width, a);
    case PH_FTOI:
    case PH_FTOU:
    case PH_FTOI_SAT:
    case PH_FTOU_SAT:
      return to_int(op, to.width, ph_numfmt_double(a), done);
    case PH_FPROMOTE:
    case PH_FDEMOTE:
      return from_double(to.width, ph_numfmt_double(a));
    case PH_BITCAST:
      return bitcast(from, to, a);
    default:
      *done = PH_OPEVAL_UNKNOWN;
      return 0;
  }
}

/* }== Together ======================================================= */

static uint64_t compute_op(ph_op op, ph_number from, ph_number to,
                           const uint64_t *args, ph_folding *done) {
  switch (ph_op_classof(op)) {
    case PH_CLASS_OTHER:
      if (op != PH_COPY) *done = PH_OPEVAL_UNKNOWN;
      return args[0];
    case PH_CLASS_OFFSET:
      return args[0] + args[1];
    case PH_CLASS_SELECT:
      return args[0] & 1 ? args[1] : args[2];
    case PH_CLASS_FARITH:
    case PH_CLASS_FCOMPARE:
      return on_floats(op, from.width, args, done);
    default:
      if (ph_op_iscast(op)) return cast_number(op, from, to, args[0], done);
      return on_integers(op, from.width, args, done);
  }
}

ph_folding ph_opeval_bits(ph_op op, ph_number from, ph_number to,
                          const uint64_t *args, uint64_t *result) {
  ph_folding done = PH_OPEVAL_DONE;
  if (from.width == 0 || to.width == 0) return PH_OPEVAL_UNKNOWN;
  *result = compute_op(op, from, to, args, &done);
  return done;
}

/* Returns the kind of number of a type. */
static ph_number number_of(ph_type type) {
  return (ph_number){(uint8_t)ph_type_width(type), ph_type_isfloat(type)};
}

uint32_t ph_opeval_value(ph_func *f, ph_op op, ph_type type,
                         const uint32_t *args, uint32_t n) {
  ph_data data = {0, PH_DATA_INT};
  ph_number to = number_of(type), from;
  uint64_t bits[3];
  if (!ph_op_computes(op) && op != PH_COPY) return 0;
  for (uint32_t i = 0; i < n; i++) {
    const ph_node *c = ph_node_of(f, args[i]);
    if (c->op != PH_CONST) return 0;
    bits[i] = f->datas.at[c->aux].bits;
  }
  from = number_of(ph_node_of(f, args[n - 1])->type);
  if (ph_opeval_bits(op, from, to, bits, &data.bits) != PH_OPEVAL_DONE)
    return 0;
  if (to.is_float) data.tag = PH_DATA_FLOAT;
  return ph_const_of(f, type, data);
}

/* }=================================================================== */
