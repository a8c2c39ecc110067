/* facts.c: what the definition of an integer tells of it.
**
** The bits of a value that are 0, or 1, whenever it is computed: known bits, as
** in LLVM's ValueTracking.  They follow from the definition of the value and from
** those of its operands, never from where it is used or what has been branched
** on, so that they hold wherever the value does.  What an instruction computes is
** known from what its operands are known to be, so a phi is what all of its
** operands are.
**
** At most PH_FACTS_MOST values are looked at, once each; of the others, and of
** one that depends on itself, nothing is known.  This also bounds the recursion.
*/
#include "core/rules/match/facts.h"

#include "core/ir/op.h"

/* The values that have been looked at, or are; of the latter nothing is known. */
typedef struct {
  const ph_func *f;
  uint32_t n;
  uint32_t values[PH_FACTS_MOST];
  ph_facts known[PH_FACTS_MOST];
} looking;

/* An instruction, its width, and what is known of its first operands. */
typedef struct {
  uint32_t width;
  uint64_t all; /* the bits of that width */
  ph_facts a, b;
  uint32_t from; /* the width of the first operand */
} step;

/*
** {== Bits ===========================================================
*/

static uint64_t low(uint32_t n) {
  return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1;
}

static ph_facts nothing(void) { return (ph_facts){0, 0, false}; }

static ph_facts constant(uint64_t bits, uint64_t all) {
  return (ph_facts){~bits & all, bits & all, (bits & all) != 0};
}

/* What is true of both. */
static ph_facts either(ph_facts a, ph_facts b) {
  return (ph_facts){a.zeros & b.zeros, a.ones & b.ones, a.nonzero && b.nonzero};
}

static bool is_nonneg(const step *s, ph_facts x) {
  return (x.zeros >> (s->width - 1) & 1) != 0;
}

/* Count the zeros that are known at the top, and at the bottom. */
static uint32_t leading(const step *s, ph_facts x) {
  uint32_t n = 0;
  while (n < s->width && (x.zeros >> (s->width - 1 - n) & 1) != 0) n++;
  return n;
}

static uint32_t trailing(const step *s, ph_facts x) {
  uint32_t n = 0;
  while (n < s->width && (x.zeros >> n & 1) != 0) n++;
  return n;
}

/* Nothing but that the top n bits are 0. */
static ph_facts top_zeros(const step *s, uint32_t n) {
  return (ph_facts){s->all & ~low(s->width - n), 0, false};
}

static uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }

/* }== Arithmetic ===================================================== */

/* A bit of a sum is known if both bits and the carry into them are: the carries
** of the least and of the largest sum show it. */
static ph_facts sum(const step *s, ph_facts a, ph_facts b, uint64_t carry) {
  uint64_t most = ~a.zeros + ~b.zeros + carry, least = a.ones + b.ones + carry;
  uint64_t carried = ~(most ^ a.zeros ^ b.zeros) | (least ^ a.ones ^ b.ones);
  uint64_t known = (a.zeros | a.ones) & (b.zeros | b.ones) & carried & s->all;
  return (ph_facts){~most & known, least & known, false};
}

static ph_facts inverse(ph_facts x) {
  return (ph_facts){x.ones, x.zeros, false};
}

static ph_facts product(const step *s) {
  uint32_t bottom = trailing(s, s->a) + trailing(s, s->b);
  uint32_t top = leading(s, s->a) + leading(s, s->b);
  ph_facts x = top_zeros(s, top > s->width ? top - s->width : 0);
  x.zeros |= low(bottom) & s->all;
  return x;
}

/* Of an unsigned product. */
static ph_facts high_half(const step *s) {
  uint32_t top = leading(s, s->a) + leading(s, s->b);
  return top_zeros(s, top > s->width ? s->width : top);
}

static ph_facts signed_division(const step *s, bool remainder) {
  if (!is_nonneg(s, s->a)) return nothing();
  if (!remainder && !is_nonneg(s, s->b)) return nothing();
  return top_zeros(s, leading(s, s->a));
}

/* Of clz, ctz, popcnt: a number up to the width, a power of two. */
static ph_facts count(const step *s) {
  ph_facts x = {s->all & ~(s->width | (s->width - 1)), 0, false};
  return x;
}

static ph_facts least(const step *s, bool is_signed) {
  ph_facts x = either(s->a, s->b);
  uint64_t sign = (uint64_t)1 << (s->width - 1);
  if (is_signed)
    x.ones |= (s->a.ones | s->b.ones) & sign;
  else
    x.zeros |= top_zeros(s, larger(leading(s, s->a), leading(s, s->b))).zeros;
  return x;
}

static ph_facts most(const step *s, bool is_signed) {
  ph_facts x = either(s->a, s->b);
  uint64_t sign = (uint64_t)1 << (s->width - 1);
  if (is_signed) x.zeros |= (s->a.zeros | s->b.zeros) & sign;
  x.nonzero = x.nonzero || (!is_signed && (s->a.nonzero || s->b.nonzero));
  return x;
}

/* }== Shifts, casts ================================================== */

/* True if the amount is known; amounts are taken modulo the width. */
static bool is_amount(const step *s, uint32_t *n) {
  uint64_t mask = s->width - 1;
  *n = (uint32_t)(s->b.ones & mask);
  return ((s->b.zeros | s->b.ones) & mask) == mask;
}

static uint64_t rotated(const step *s, uint64_t x, uint32_t n) {
  return n == 0 ? x : (x << n | x >> (s->width - n)) & s->all;
}

static ph_facts rotate(const step *s, bool right) {
  uint32_t n;
  ph_facts x = {0, 0, s->a.nonzero};
  if (!is_amount(s, &n)) return x;
  if (right) n = (s->width - n) & (s->width - 1);
  x.zeros = rotated(s, s->a.zeros, n);
  x.ones = rotated(s, s->a.ones, n);
  return x;
}

/* The zeros that remain, whatever the amount. */
static ph_facts shift_by_any(const step *s, ph_op op) {
  ph_facts x = nothing();
  if (op == PH_SHL) x.zeros = low(trailing(s, s->a)) & s->all;
  if (op != PH_SHL) x = top_zeros(s, leading(s, s->a));
  return x;
}

static ph_facts shift(const step *s, ph_op op) {
  uint64_t sign = (uint64_t)1 << (s->width - 1), filled;
  ph_facts x = nothing();
  uint32_t n;
  if (!is_amount(s, &n)) return shift_by_any(s, op);
  filled = s->all & ~low(s->width - n);
  if (op == PH_SHL) {
    x.zeros = (s->a.zeros << n | low(n)) & s->all;
    x.ones = s->a.ones << n & s->all;
    return x;
  }
  x.zeros = s->a.zeros >> n;
  x.ones = s->a.ones >> n;
  if (op == PH_SHR || (s->a.zeros & sign) != 0) x.zeros |= filled;
  if (op == PH_SAR && (s->a.ones & sign) != 0) x.ones |= filled;
  return x;
}

static ph_facts extend(const step *s, bool is_signed) {
  uint64_t added = s->all & ~low(s->from);
  uint64_t sign = (uint64_t)1 << (s->from - 1);
  ph_facts x = s->a;
  if (!is_signed || (x.zeros & sign) != 0) x.zeros |= added;
  if (is_signed && (x.ones & sign) != 0) x.ones |= added;
  return x;
}

static uint64_t bytes_turned(const step *s, uint64_t x) {
  uint64_t r = 0;
  for (uint32_t i = 0; i < s->width; i += 8)
    r |= (x >> i & 0xff) << (s->width - 8 - i);
  return r;
}

/* }== Instructions =================================================== */

static ph_facts bitwise(const step *s, ph_op op) {
  ph_facts a = s->a, b = s->b;
  if (op == PH_BAND)
    return (ph_facts){a.zeros | b.zeros, a.ones & b.ones, false};
  if (op == PH_BOR)
    return (ph_facts){a.zeros & b.zeros, a.ones | b.ones,
                      a.nonzero || b.nonzero};
  return (ph_facts){(a.zeros & b.zeros) | (a.ones & b.ones),
                    (a.zeros & b.ones) | (a.ones & b.zeros), false};
}

static ph_facts negated(const step *s) {
  ph_facts x = sum(s, constant(0, s->all), inverse(s->a), 1);
  x.nonzero = s->a.nonzero;
  return x;
}

/* What an op gives of operands of which s->a and s->b are known. */
static ph_facts compute(const step *s, ph_op op) {
  switch (op) {
    case PH_ADD:
      return sum(s, s->a, s->b, 0);
    case PH_SUB:
      return sum(s, s->a, inverse(s->b), 1);
    case PH_NEG:
      return negated(s);
    case PH_MUL:
      return product(s);
    case PH_UMULH:
      return high_half(s);
    case PH_UDIV:
      return top_zeros(s, leading(s, s->a));
    case PH_UREM:
      return top_zeros(s, larger(leading(s, s->a), leading(s, s->b)));
    case PH_SDIV:
    case PH_SREM:
      return signed_division(s, op == PH_SREM);
    case PH_BAND:
    case PH_BOR:
    case PH_BXOR:
      return bitwise(s, op);
    case PH_BNOT:
      return inverse(s->a);
    case PH_SHL:
    case PH_SHR:
    case PH_SAR:
      return shift(s, op);
    case PH_ROTL:
    case PH_ROTR:
      return rotate(s, op == PH_ROTR);
    case PH_BSWAP:
      return (ph_facts){bytes_turned(s, s->a.zeros), bytes_turned(s, s->a.ones),
                        s->a.nonzero};
    case PH_CLZ:
    case PH_CTZ:
    case PH_POPCNT:
      return count(s);
    case PH_SMIN:
    case PH_UMIN:
      return least(s, op == PH_SMIN);
    case PH_SMAX:
    case PH_UMAX:
      return most(s, op == PH_SMAX);
    case PH_ZEXT:
    case PH_SEXT:
      return extend(s, op == PH_SEXT);
    case PH_TRUNC:
      return (ph_facts){s->a.zeros & s->all, s->a.ones & s->all, false};
    default:
      return nothing();
  }
}

static uint32_t width_of(const looking *l, uint32_t v) {
  return (uint32_t)ph_type_width(ph_node_of(l->f, v)->type);
}

static ph_facts look(looking *l, uint32_t v);

static ph_facts look_at_operand(looking *l, uint32_t v, uint32_t i) {
  if (i >= ph_node_of(l->f, v)->nargs) return nothing();
  return look(l, ph_body_operand(l->f, v, i));
}

/* A phi that has not got all of its operands tells nothing. */
static ph_facts look_at_phi(looking *l, uint32_t v) {
  const ph_node *n = ph_node_of(l->f, v);
  const ph_blockrec *b = &l->f->blocks.at[n->block];
  ph_facts x = {UINT64_MAX, UINT64_MAX, true}; /* what is true of no value */
  if (n->nargs == 0 || n->nargs != b->npreds || !b->sealed) return nothing();
  if ((n->flags & PH_IS_INCOMPLETE) != 0) return nothing();
  for (uint32_t i = 0; i < n->nargs && (x.zeros | x.ones | x.nonzero) != 0; i++)
    x = either(x, look_at_operand(l, v, i));
  return x;
}

static ph_facts look_at_op(looking *l, uint32_t v) {
  const ph_node *n = ph_node_of(l->f, v);
  step s = {.width = width_of(l, v)};
  s.all = low(s.width);
  if (n->aux != 0 || n->op >= PH_OPS || !ph_op_computes(n->op))
    return nothing();
  s.from = width_of(l, ph_body_operand(l->f, v, 0));
  s.a = look_at_operand(l, v, 0);
  s.b = look_at_operand(l, v, 1);
  return compute(&s, n->op);
}

static ph_facts look_at(looking *l, uint32_t v) {
  const ph_node *n = ph_node_of(l->f, v);
  switch (n->op) {
    case PH_CONST:
      return constant(l->f->datas.at[n->aux].bits, low(width_of(l, v)));
    case PH_PHI:
      return look_at_phi(l, v);
    case PH_SELECT:
      if (n->aux != 0) return nothing();
      return either(look_at_operand(l, v, 1), look_at_operand(l, v, 2));
    case PH_COPY:
    case PH_REFINE:
      return look_at_operand(l, v, 0);
    default:
      return look_at_op(l, v);
  }
}

static ph_facts look(looking *l, uint32_t v) {
  uint32_t i = 0;
  ph_facts x;
  if (!ph_type_isint(ph_node_of(l->f, v)->type)) return nothing();
  while (i < l->n && l->values[i] != v) i++;
  if (i < l->n) return l->known[i];
  if (i == PH_FACTS_MOST) return nothing();
  l->n++;
  l->values[i] = v;
  l->known[i] = nothing();
  x = look_at(l, v);
  x.nonzero = x.nonzero || x.ones != 0;
  return l->known[i] = x;
}

ph_facts ph_facts_of(const ph_func *f, uint32_t v) {
  looking l;
  l.f = f;
  l.n = 0;
  return look(&l, v);
}

/* }=================================================================== */
