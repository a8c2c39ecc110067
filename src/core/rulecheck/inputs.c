/* inputs.c: values to evaluate a rule with.
**
** If there are few combinations, all of them.  Otherwise uniformly random
** values would be poor: of 64 bits hardly any is a power of two, a shift
** amount, or equal to another.  So most values have such a form.  The same seed
** gives the same values.
*/
#include "core/rulecheck/inputs.h"

#include <string.h>

#include "core/base/numfmt.h"

uint32_t ph_inputs_bits(const ph_inputs *c) {
  uint32_t bits = 0;
  for (uint32_t i = 0; i < c->all.n; i++)
    bits += c->all.at[i].type.isfloat || c->all.at[i].samples > 0
                ? 1000
                : c->all.at[i].type.bits;
  return bits;
}

void ph_inputs_every(const ph_inputs *c, uint64_t number) {
  for (uint32_t i = 0; i < c->all.n; i++) {
    const ph_unknown *u = &c->all.at[i];
    *u->value = ph_exprtype_normal(u->type, number);
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

/* Returns a number from 0 to n - 1. */
static uint32_t random_below(ph_inputs *c, uint32_t n) {
  return (uint32_t)((random_bits(c) >> 32) % n);
}

/*
** {== What a rule suggests ============================================
*/

enum { LITERALS = 12, PAIRED = 6 }; /* looked at; combined with each other */

static void add_bits(ph_bits *l, ph_arena *a, uint64_t bits) {
  for (uint32_t i = 0; i < l->n; i++)
    if (l->at[i] == bits) return;
  ph_bits_push(l, a, bits);
}

/* For guards as C + 3 == 10, pow2(C) and log2(C) == 12. */
static void derive(ph_bits *l, ph_arena *a, uint64_t u) {
  add_bits(l, a, u);
  add_bits(l, a, 0 - u);
  add_bits(l, a, ~u);
  if (u >= 64) return;
  add_bits(l, a, (uint64_t)1 << u);
  add_bits(l, a, ((uint64_t)1 << u) - 1);
}

/* The last one is of a constant with u ones after v zeros. */
static void derive_pair(ph_bits *l, ph_arena *a, uint64_t u, uint64_t v) {
  add_bits(l, a, u + v);
  add_bits(l, a, u - v);
  add_bits(l, a, v - u);
  add_bits(l, a, u ^ v);
  add_bits(l, a, u & v);
  add_bits(l, a, u | v);
  if (u < 64 && v < 64) add_bits(l, a, (((uint64_t)1 << u) - 1) << v);
  if (u < 64 && v < 64) add_bits(l, a, (((uint64_t)1 << v) - 1) << u);
}

void ph_inputs_start(ph_inputs *c, ph_arena *a, const ph_rule *rule) {
  c->seed = UINT64_C(0x9e3779b97f4a7c15);
  for (uint32_t i = 1; i < rule->nnodes && c->literals.n < LITERALS; i++) {
    const ph_rulenode *n = &rule->nodes[i];
    if (n->kind != PH_R_LIT || n->var == PH_DATA_STR) continue;
    if (n->var == PH_DATA_FLOAT)
      add_bits(&c->floats, a, n->bits);
    else
      add_bits(&c->literals, a, n->bits);
    c->telling = c->telling || (n->var == PH_DATA_INT && n->bits + 1 > 2);
  }
  for (uint32_t i = 0; i < c->literals.n; i++)
    derive(&c->derived, a, c->literals.at[i]);
  for (uint32_t i = 0; i < c->literals.n && i < PAIRED; i++)
    for (uint32_t j = 0; j <= i; j++)
      derive_pair(&c->derived, a, c->literals.at[i], c->literals.at[j]);
}

/* }== Integers ======================================================= */

/* What an integer is for: its width, and how many unknowns precede it. */
typedef struct {
  ph_inputs *c;
  uint32_t bits, before;
} place;

static uint64_t small(place p) { return random_below(p.c, 4); }
static uint64_t negative(place p) { return 0 - small(p); }
static uint64_t power(place p) {
  return (uint64_t)1 << random_below(p.c, p.bits);
}
static uint64_t low_mask(place p) { return power(p) - 1; }
static uint64_t high_mask(place p) { return 0 - power(p); }
static uint64_t above_power(place p) { return power(p) + 1; }
static uint64_t shift_amount(place p) { return random_below(p.c, p.bits + 1); }
static uint64_t anything(place p) { return random_bits(p.c); }

/* The least and the largest integer, signed, and their neighbours. */
static uint64_t extreme(place p) {
  return ((uint64_t)1 << (p.bits - 1)) + random_below(p.c, 4) - 2;
}

/* Returns one of the list, or 0 if it is empty. */
static uint64_t one_of(ph_inputs *c, const ph_bits *l) {
  return l->n == 0 ? 0 : l->at[random_below(c, l->n)];
}

/* A literal of the rule or a neighbour of it; of 0 if it has none. */
static uint64_t near_literal(place p) {
  return one_of(p.c, &p.c->literals) + random_below(p.c, 3) - 1;
}

/* A multiple of it, or a neighbour: for divisions. */
static uint64_t near_multiple(place p) {
  uint64_t many = random_bits(p.c) >> random_below(p.c, 64);
  return one_of(p.c, &p.c->literals) * many + random_below(p.c, 3) - 1;
}

static uint64_t suggested(place p) {
  bool plain = random_below(p.c, 2) == 0;
  return one_of(p.c, plain ? &p.c->literals : &p.c->derived);
}

/* Bits of a literal where a mask, mostly another literal, has ones, and random
** ones elsewhere: for comparisons of what the mask leaves. */
static uint64_t masked(place p) {
  bool plain = random_below(p.c, 2) == 0;
  uint64_t mask = plain ? one_of(p.c, &p.c->literals) : low_mask(p);
  return (suggested(p) & mask) | (random_bits(p.c) & ~mask);
}

/* Off one end of the range by a literal, or nearly: for sums that overflow. */
static uint64_t off_end(place p) {
  uint64_t least = (uint64_t)1 << (p.bits - 1), by = near_literal(p);
  return random_below(p.c, 2) == 0 ? least - 1 - by : least + by;
}

/* The value of a preceding unknown. */
static uint64_t equal_to_earlier(place p) {
  if (p.before == 0) return anything(p);
  return (uint64_t)*p.c->all.at[random_below(p.c, p.before)].value;
}

/* The inverse of a preceding unknown modulo 2^64, if that is odd, or its
** negative: for A * B == 1. */
static uint64_t inverse(place p) {
  uint64_t a = equal_to_earlier(p) | 1,
           x = a; /* right in 3 bits; each step doubles them */
  for (int i = 0; i < 5; i++) x *= 2 - a * x;
  return random_below(p.c, 2) == 0 ? x : 0 - x;
}

static const struct {
  uint64_t (*make)(place p);
  uint32_t weight;
} forms[] = {{small, 1},         {negative, 1},
             {power, 1},         {low_mask, 1},
             {high_mask, 1},     {above_power, 1},
             {shift_amount, 1},  {near_literal, 1},
             {extreme, 1},       {equal_to_earlier, 2},
             {near_multiple, 1}, {suggested, 1},
             {inverse, 1},       {anything, 2}};

static uint64_t random_integer(ph_inputs *c, const ph_unknown *u,
                               uint32_t before) {
  const place p = {c, u->type.bits, before};
  uint32_t all = 0, i = 0, at;
  if (u->constant && c->telling && random_below(c, 2) == 0) return suggested(p);
  if (c->telling && random_below(c, 8) == 0)
    return random_below(c, 2) == 0 ? masked(p) : off_end(p);
  for (; i < sizeof forms / sizeof *forms; i++) all += forms[i].weight;
  at = random_below(c, all);
  for (i = 0; at >= forms[i].weight; i++) at -= forms[i].weight;
  return forms[i].make(p);
}

/* }== Floats ========================================================= */

static uint64_t bits_of(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

static double some_float(ph_inputs *c) {
  static const double some[] = {0,     1,     2,         0.5,    3,
                                1e300, 1e-40, 16777217., 5e-324, 1.5e-45};
  double d = some[random_below(c, sizeof some / sizeof *some)];
  uint64_t bits = random_bits(c);
  if (c->floats.n > 0 && random_below(c, 3) == 0) {
    bits = one_of(c, &c->floats) + random_below(c, 3) - 1;
    if (random_below(c, 2) == 0) bits = one_of(c, &c->floats);
    memcpy(&d, &bits, sizeof d);
  } else if (random_below(c, 3) == 0) {
    memcpy(&d, &bits, sizeof d);
  }
  return random_below(c, 2) == 0 ? d : -d;
}

/* Returns the value of a preceding unknown of the same type; 0 if there is
** none. */
static uint64_t like_before(ph_inputs *c, const ph_unknown *u,
                            uint32_t before) {
  const ph_unknown *v = u - (before > 0 ? 1 + random_below(c, before) : 0);
  bool same = v->type.isfloat && v->type.bits == u->type.bits && v != u;
  return same ? (uint64_t)*v->value : 0;
}

static uint64_t random_float(ph_inputs *c, const ph_unknown *u,
                             uint32_t before) {
  double d = some_float(c);
  switch (random_below(c, 8)) {
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

/* }== Choosing ======================================================= */

static void choose_values(ph_inputs *c, bool constants) {
  for (uint32_t i = 0; i < c->all.n; i++) {
    const ph_unknown *u = &c->all.at[i];
    if (u->constant && !constants) continue;
    if (u->samples > 0)
      *u->value = u->before + 1 + random_below(c, u->samples);
    else if (u->type.isfloat)
      *u->value = (int64_t)random_float(c, u, i);
    else
      *u->value = ph_exprtype_normal(u->type, random_integer(c, u, i));
  }
}

void ph_inputs_random(ph_inputs *c) { choose_values(c, true); }

void ph_inputs_vary(ph_inputs *c) { choose_values(c, false); }

/* }=================================================================== */
