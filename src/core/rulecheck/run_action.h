/* run_action.h: rules whose result a callback makes. */
#ifndef PH_RULECHECK_RUN_ACTION_H
#define PH_RULECHECK_RUN_ACTION_H

#include "core/rulecheck/run_rule.h"
#pragma GCC visibility push(hidden)

/* True if the rule has such a result. */
bool ph_run_action_has(const ph_rule *rule);
/* Applies the rule with the chosen constants; false: the callback failed, or
** there is nothing to try. */
bool ph_run_action_start(ph_run_rule *a);
/* Checks what was made with the chosen values. */
ph_finding ph_run_action_run(ph_run_rule *a);

#pragma GCC visibility pop
#endif
