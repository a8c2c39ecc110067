/* run_rule.h: a rule with values. */
#ifndef PH_RULECHECK_RUN_RULE_H
#define PH_RULECHECK_RUN_RULE_H

#include "phial/rules.h"
#include "core/rulecheck/inputs.h"
#include "core/rulecheck/semantics.h"

typedef struct ph_acted ph_acted;

/* A rule that is checked. */
typedef struct {
  ph_ruleset *set;
  uint32_t number;
  const ph_rule *rule;
  const ph_check_options *how;
  ph_arena *arena;
  ph_inputs cases;
  ph_assignment values; /* these three are its arrays: */
  ph_exprtype *types;
  int64_t *vars, *nodes;
  bool assumed;    /* values were chosen for what a guard asks */
  bool failed;     /* a function of the host did */
  ph_acted *acted; /* run_action.c */
} ph_run_rule;

/* What became of it. */
typedef struct {
  bool applies, holds;
  ph_semantics pattern, result; /* where it does not hold */
} ph_finding;

void ph_run_rule_start(ph_run_rule *a);
/* The types are chosen: what values are there to choose? */
void ph_run_rule_typed(ph_run_rule *a);
/* Can all literals be represented, do all casts fit? */
bool ph_run_rule_fits(const ph_run_rule *a);
/* Values are chosen: does the rule hold? */
ph_finding ph_run_rule_run(ph_run_rule *a);
/* Does the result `r` do for the pattern `l`? */
bool ph_run_rule_does(const ph_run_rule *a, ph_semantics l, ph_semantics r);

#endif
