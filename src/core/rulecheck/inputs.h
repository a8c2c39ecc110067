/* cases.h: values to look at a rule with. */
#ifndef PH_CASES_H
#define PH_CASES_H

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
} ph_cases;

/* How many bits all of them have; floats count as more than can be tried. */
uint32_t ph_cases_bits(const ph_cases *c);
/* Sets them to the number-th of all values. */
void ph_cases_every(const ph_cases *c, uint64_t number);
/* Sets them to values at random, such that mistakes show: powers of two, ends
** of ranges, equal ones, ... */
void ph_cases_random(ph_cases *c);

#endif
