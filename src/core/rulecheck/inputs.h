/* inputs.h: values to evaluate a rule with. */
#ifndef PH_RULECHECK_INPUTS_H
#define PH_RULECHECK_INPUTS_H

#include "core/rules/set/constexpr.h"

/* An unknown: a variable or node that gets a value. */
typedef struct {
  int64_t *value;
  ph_exprtype type;
} ph_unknown;

PH_VEC(ph_unknowns, ph_unknown)

typedef struct {
  ph_unknowns all;
  const ph_rule *rule; /* its literals are useful values */
  uint64_t seed;
} ph_inputs;

/* Returns the number of bits of all unknowns; floats count as more than can be
** tried. */
uint32_t ph_inputs_bits(const ph_inputs *c);
/* Sets the unknowns to the number-th combination. */
void ph_inputs_every(const ph_inputs *c, uint64_t number);
/* Sets the unknowns to random values that expose errors: powers of two, ends of
** ranges, equal ones, ... */
void ph_inputs_random(ph_inputs *c);

#endif
