/* inputs.h: values to evaluate a rule with. */
#ifndef PH_RULECHECK_INPUTS_H
#define PH_RULECHECK_INPUTS_H

#include "core/rules/set/constexpr.h"
#pragma GCC visibility push(hidden)

/* An unknown: a variable or node that gets a value. */
typedef struct {
  int64_t *value;
  ph_exprtype type;
  uint32_t samples; /* of an own type: its values are 1 to `samples`, ... */
  uint32_t before;  /* ... plus this */
  bool constant;    /* a constant of the rule */
} ph_unknown;

PH_VEC(ph_unknowns, ph_unknown)
PH_VEC(ph_bits, uint64_t)

typedef struct {
  ph_unknowns all;
  ph_bits literals; /* the integers of the rule */
  ph_bits floats;   /* the floats of the rule */
  ph_bits derived;  /* integers that follow from the literals */
  bool telling;     /* a literal is other than -1, 0, 1 */
  uint64_t seed;
} ph_inputs;

/* Starts with what the rule suggests, in `a`. */
void ph_inputs_start(ph_inputs *c, ph_arena *a, const ph_rule *rule);

/* Returns the number of bits of all unknowns; floats and values of own types
** count as more than can be tried. */
uint32_t ph_inputs_bits(const ph_inputs *c);
/* Sets the unknowns to the number-th combination. */
void ph_inputs_every(const ph_inputs *c, uint64_t number);
/* Sets the unknowns to random values that expose errors: powers of two, ends of
** ranges, equal ones, ... */
void ph_inputs_random(ph_inputs *c);
/* The same for those that are not constants of the rule. */
void ph_inputs_vary(ph_inputs *c);

#pragma GCC visibility pop
#endif
