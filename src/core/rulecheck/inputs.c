/* inputs.c: values to look at a rule with.
**
** Where there are few, all of them.  Else values at random would be bad ones:
** of 64 bits hardly any is a power of two, a shift amount, or equal to another.
** So most are made to have such a form.  The same seed makes the same values.
*/
#include "core/rulecheck/inputs.h"

#include <string.h>

#include "core/base/numfmt.h"

static uint64_t without_sign(ph_exprtype t, uint64_t u) {
  return u & (~(uint64_t)0 >> (64 - t.bits));
}

static int64_t with_sign(ph_exprtype t, uint64_t u) {
  uint64_t sign = (uint64_t)1 << (t.bits - 1);
  return (int64_t)((without_sign(t, u) ^ sign) - sign);
}

uint32_t ph_inputs_bits(const ph_inputs *c) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < c->all.n; i++)
    bits += c->all.at[i].type.isfloat ? 1000 : c->all.at[i].type.bits;
  return bits;
}

void ph_inputs_every(const ph_inputs *c, uint64_t number) {
  for (uint32_t i = 0; i < c->all.n; i++) {
    const ph_unknown *u = &c->all.at[i];
    *u->value = with_sign(u->type, number);
    number = u->type.bits < 64 ? number >> u->type.bits : 0;
  }
}

/* xorshift64* (Marsaglia; Vigna) */
static uint64_t random_bits(ph_inputs *c) {
  c->seed ^= c->seed >> 12;
  c->seed ^= c->seed << 25;
  c->seed ^= c->seed >> 27;
  return c->seed * UINT64_C(2685821657736338717);
}

/* A number from 0 to n - 1. */
static uint32_t pick(ph_inputs *c, uint32_t n) {
  return (uint32_t)((random_bits(c) >> 32) % n);
}

/* A literal of the rule, or one beside it; 0 when it has none. */
static uint64_t near_literal(ph_inputs *c) {
  uint64_t found = 0;
  uint32_t seen = 0;
  for (uint32_t i = 1; i < c->rule->nnodes; i++) {
    const ph_rulenode *n = &c->rule->nodes[i];
    if (n->kind == PH_R_LIT && pick(c, ++seen) == 0) found = n->bits;
  }
  return found + pick(c, 3) - 1;
}

static uint64_t integer(ph_inputs *c, const ph_unknown *u, uint32_t before) {
  uint64_t one = (uint64_t)1 << pick(c, u->type.bits);
  switch (pick(c, 12)) {
    case 0:
      return pick(c, 4);
    case 1:
      return 0 - (uint64_t)pick(c, 4);
    case 2:
      return one;
    case 3:
      return one - 1;
    case 4:
      return 0 - one;
    case 5:
      return one + 1;
    case 6:
      return pick(c, u->type.bits + 1u);
    case 7:
      return near_literal(c);
    case 8:
      return (uint64_t)1 << (u->type.bits - 1) | pick(c, 2);
    case 9:
    case 10:
      if (before > 0) return (uint64_t)*c->all.at[pick(c, before)].value;
      return random_bits(c);
    default:
      return random_bits(c);
  }
}

static uint64_t bits_of(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

static double some_float(ph_inputs *c) {
  static const double some[] = {0,     1,     2,         0.5,    3,
                                1e300, 1e-40, 16777217., 5e-324, 1.5e-45};
  double d = some[pick(c, sizeof some / sizeof *some)];
  uint64_t bits = random_bits(c);
  if (pick(c, 3) == 0) memcpy(&d, &bits, sizeof d);
  return pick(c, 2) == 0 ? d : -d;
}

/* The value of another one of the same type; 0 if it is none. */
static uint64_t like_before(ph_inputs *c, const ph_unknown *u,
                            uint32_t before) {
  const ph_unknown *v = u - (before > 0 ? 1 + pick(c, before) : 0);
  bool same = v->type.isfloat && v->type.bits == u->type.bits && v != u;
  return same ? (uint64_t)*v->value : 0;
}

static uint64_t floating(ph_inputs *c, const ph_unknown *u, uint32_t before) {
  double d = some_float(c);
  switch (pick(c, 8)) {
    case 0:
      return PH_INF_BITS;
    case 1:
      return PH_INF_BITS | PH_SIGN_BIT;
    case 2:
      return PH_NAN_BITS;
    case 3:
      return like_before(c, u, before);
    default:
      return bits_of(u->type.bits == 32 ? (double)(float)d : d);
  }
}

void ph_inputs_random(ph_inputs *c) {
  for (uint32_t i = 0; i < c->all.n; i++) {
    const ph_unknown *u = &c->all.at[i];
    if (u->type.isfloat)
      *u->value = (int64_t)floating(c, u, i);
    else
      *u->value = with_sign(u->type, integer(c, u, i));
  }
}
