/* subsume.h: whether a pattern is more general than another. */
#ifndef PH_RULECHECK_SUBSUME_H
#define PH_RULECHECK_SUBSUME_H

#include "core/rules/set/rule.h"
#pragma GCC visibility push(hidden)

/* Rule `a` and what its variables and types are in rule `b`. */
typedef struct {
  const ph_func *space;
  const ph_rule *a, *b;
  uint32_t *vars;  /* by variable of a: a node of b, or 0 */
  uint32_t *types; /* by type of a: a type of b, or 0 */
} ph_subsume;

void ph_subsume_start(ph_subsume *c, const ph_func *space, ph_arena *arena,
                      const ph_rule *a, const ph_rule *b);
/* True if the pattern of `a` matches all that node `of` of `b` matches. */
bool ph_subsume_matches(ph_subsume *c, uint32_t of);
/* True if, with the variables bound by that, both trees are the same. */
bool ph_subsume_same(const ph_subsume *c, uint32_t of_a, uint32_t of_b);

#pragma GCC visibility pop
#endif
