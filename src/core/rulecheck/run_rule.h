/* run_rule.h: evaluates a rule with given values. */
#ifndef PH_RULECHECK_RUN_RULE_H
#define PH_RULECHECK_RUN_RULE_H

#include "phial/rules.h"
#include "core/rulecheck/inputs.h"
#include "core/rulecheck/semantics.h"
#pragma GCC visibility push(hidden)

typedef struct ph_acted ph_acted;

/* A rule being checked. */
typedef struct {
  ph_ruleset *set;
  uint32_t number;
  const ph_rule *rule;
  const ph_check_options *how;
  ph_arena *arena;
  ph_inputs cases;
  ph_assignment values; /* these three point to its arrays: */
  ph_exprtype *types;
  int64_t *vars, *nodes;
  bool nans;       /* a nan became another nan */
  bool assumed;    /* answers were chosen for what a guard asks */
  bool failed;     /* a callback failed */
  bool beyond;     /* an action made what cannot be evaluated */
  ph_acted *acted; /* run_action.c */
} ph_run_rule;

/* The outcome of one evaluation. */
typedef struct {
  bool guarded; /* the guard was true */
  bool meant;   /* and the pattern had a meaning */
  bool applies, holds;
  ph_semantics pattern, result; /* if it does not hold */
} ph_finding;

void ph_run_rule_start(ph_run_rule *a);
/* Collects the unknowns, once the types are chosen. */
void ph_run_rule_typed(ph_run_rule *a);
/* True if the guard depends on types only, and is false for those chosen. */
bool ph_run_rule_excludes(ph_run_rule *a);
/* True if all literals can be represented and all casts are possible. */
bool ph_run_rule_fits(const ph_run_rule *a);
/* Evaluates the rule, once the values are chosen. */
ph_finding ph_run_rule_run(ph_run_rule *a);
/* True if the result `r` will do for the pattern `l`. */
bool ph_run_rule_does(ph_run_rule *a, ph_semantics l, ph_semantics r);

#pragma GCC visibility pop
#endif
