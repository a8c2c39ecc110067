/* inputs.h: values to look at a rule with. */
#ifndef PH_RULECHECK_INPUTS_H
#define PH_RULECHECK_INPUTS_H

#include "core/rules/set/constexpr.h"

/* Something whose value is chosen: a variable, or a node. */
typedef struct {
  int64_t *value;
  ph_exprtype type;
} ph_unknown;

PH_VEC(ph_unknowns, ph_unknown)

typedef struct {
  ph_unknowns all;
  const ph_rule *rule; /* its literals are good values */
  uint64_t seed;
} ph_inputs;

/* How many bits all of them have; floats count as more than can be tried. */
uint32_t ph_inputs_bits(const ph_inputs *c);
/* Sets them to the number-th of all values. */
void ph_inputs_every(const ph_inputs *c, uint64_t number);
/* Sets them to values at random, such that mistakes show: powers of two, ends
** of ranges, equal ones, ... */
void ph_inputs_random(ph_inputs *c);

#endif
