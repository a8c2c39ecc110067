/* check.h: one rule, checked as a part of a pass over its set. */
#ifndef PH_RULECHECK_CHECK_H
#define PH_RULECHECK_CHECK_H

#include "core/rulecheck/run_rule.h"
#include "phial/rulecheck.h"
#pragma GCC visibility push(hidden)

/* Checks rule n; `result`, its text included, lies in the scratch memory of the
** set's space. */
void ph_check_rule(ph_ruleset *set, uint32_t n, const ph_check_options *how,
                   ph_check_result *result);

/* Calls `visit` with rule n and choices of types and values, in the scratch
** memory of the set's space, at which its guard is true, until it returns false.
*/
void ph_check_visit(ph_ruleset *set, uint32_t n,
                    bool (*visit)(void *ud, ph_run_rule *at), void *ud);

#pragma GCC visibility pop
#endif
