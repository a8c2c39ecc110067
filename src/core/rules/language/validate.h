/* validate.h: what a rule must satisfy, as far as its text shows. */
#ifndef PH_RULES_LANGUAGE_VALIDATE_H
#define PH_RULES_LANGUAGE_VALIDATE_H

#include "core/rules/language/rule_draft.h"
#pragma GCC visibility push(hidden)

/* Checks what the grammar does not; errors go to the draft. */
void ph_validate_rule(ph_rule_draft *d);

/* The weights of pattern and result.  A rule whose result weighs less, and
** repeats no value, can be applied only so many times. */
typedef struct {
  uint32_t pattern, result;
  uint32_t more; /* a variable that occurs more often in the result, or 0 */
} ph_weights;
ph_weights ph_validate_weigh(const ph_func *space, ph_arena *a,
                             const ph_rule *rule, const ph_rulenode *nodes,
                             uint32_t nvars);

#pragma GCC visibility pop
#endif
