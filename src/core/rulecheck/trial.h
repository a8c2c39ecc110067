/* trial.h: a rule, tried at types and values. */
#ifndef PH_RULECHECK_TRIAL_H
#define PH_RULECHECK_TRIAL_H

#include "phial/rules.h"
#include "core/base/strbuf.h"
#include "core/rulecheck/run_rule.h"
#pragma GCC visibility push(hidden)

/* A rule that is tried, and what has been found. */
typedef struct {
  ph_run_rule at;
  ph_check_result out;
  ph_strbuf text;
  uint32_t limit, cases;     /* of each combination of types */
  bool fits, guarded, meant; /* at least once: why does it never apply? */
  bool complete;             /* all values of the types tried were tried */
  bool exhausted; /* all values of some type wider than a bit were tried, and
                     the rule applied there, by each side of its guard */
  bool *held;     /* by node: the rule applied there by this side of an `or` */
  bool cut;       /* more types exist than were tried */
  bool unreal;    /* it applied, but not at types that exist */
} ph_trial;

/* Tries values of each combination of the rule's types, those of phial or, if
** small, integers of the least widths; each gets its share of the cases,
** `times` over.  False: the verdict is known, as the rule is wrong or an action
** has failed. */
bool ph_trial_types(ph_trial *t, bool small, uint32_t times);
/* True if values of the type are known. */
bool ph_trial_has(const ph_ruletype *type);
/* True if integers of widths that do not exist are of use for the rule. */
bool ph_trial_hassmall(const ph_rule *rule);

#pragma GCC visibility pop
#endif
