/* run_action.h: a rule whose result a function of the host makes. */
#ifndef PH_RULECHECK_RUN_ACTION_H
#define PH_RULECHECK_RUN_ACTION_H

#include "core/rulecheck/run_rule.h"

/* Does it have such a result? */
bool ph_run_action_has(const ph_rule *rule);
/* Applies it where its constants are as chosen; false: the host failed, or
** there is nothing to try. */
bool ph_run_action_start(ph_run_rule *a);
/* Does what was made hold for the values that are chosen? */
ph_finding ph_run_action_run(ph_run_rule *a);
/* Chooses other values; constants stay. */
void ph_run_action_vary(ph_run_rule *a);

#endif
