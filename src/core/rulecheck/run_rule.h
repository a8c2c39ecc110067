/* attempt.h: a rule with values. */
#ifndef PH_ATTEMPT_H
#define PH_ATTEMPT_H

#include "core/rulecheck/inputs.h"
#include "core/rulecheck/semantics.h"

typedef struct ph_acted ph_acted;

/* A rule that is checked. */
typedef struct {
  ph_rules *set;
  uint32_t number;
  const ph_rule *rule;
  const ph_checking *how;
  ph_arena *arena;
  ph_cases cases;
  ph_assignment values; /* these three are its arrays: */
  ph_exprtype *types;
  int64_t *vars, *nodes;
  bool assumed;    /* values were chosen for what a guard asks */
  bool failed;     /* a function of the host did */
  ph_acted *acted; /* act.c */
} ph_attempt;

/* What became of it. */
typedef struct {
  bool applies, holds;
  ph_meaning pattern, result; /* where it does not hold */
} ph_finding;

void ph_attempt_start(ph_attempt *a);
/* The types are chosen: what values are there to choose? */
void ph_attempt_typed(ph_attempt *a);
/* Can all literals be represented, do all casts fit? */
bool ph_attempt_fits(const ph_attempt *a);
/* Values are chosen: does the rule hold? */
ph_finding ph_attempt_run(ph_attempt *a);
/* Does the result `r` do for the pattern `l`? */
bool ph_attempt_does(const ph_attempt *a, ph_meaning l, ph_meaning r);

#endif
