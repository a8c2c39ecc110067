/* validate.h: is a rule fit to be used? */
#ifndef PH_RULES_LANGUAGE_VALIDATE_H
#define PH_RULES_LANGUAGE_VALIDATE_H

#include "core/rules/language/rule_draft.h"

/* Checks what the grammar does not: the mistake is the draft's. */
void ph_validate_rule(ph_rule_draft *d);

/* A rule whose result weighs less than its pattern, and has no value more
** often, can be applied only so many times. */
typedef struct {
  uint32_t pattern, result;
  uint32_t more; /* a variable that the result has more often, or 0 */
} ph_weights;
ph_weights ph_validate_weigh(const ph_func *space, ph_arena *a,
                             const ph_rule *rule, const ph_rulenode *nodes,
                             uint32_t nvars);

#endif
