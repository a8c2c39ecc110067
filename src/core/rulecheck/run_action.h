/* act.h: a rule whose result a function of the host makes. */
#ifndef PH_ACT_H
#define PH_ACT_H

#include "core/rulecheck/run_rule.h"

/* Does it have such a result? */
bool ph_act_has(const ph_rule *rule);
/* Applies it where its constants are as chosen; false: the host failed, or
** there is nothing to try. */
bool ph_act_start(ph_attempt *a);
/* Does what was made hold for the values that are chosen? */
ph_finding ph_act_run(ph_attempt *a);
/* Chooses other values; constants stay. */
void ph_act_vary(ph_attempt *a);

#endif
