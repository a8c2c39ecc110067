/* semantics.h: what the trees of a rule mean for given values. */
#ifndef PH_RULECHECK_SEMANTICS_H
#define PH_RULECHECK_SEMANTICS_H

#include "phial/rules.h"
#include "core/rules/set/constexpr.h"

typedef enum {
  PH_MEANS_VALUE,
  PH_MEANS_TRAP,     /* it traps */
  PH_MEANS_ANYTHING, /* it is not defined what: a shift by too much */
  PH_MEANS_NOTHING   /* it is never asked: the rule does not apply */
} ph_outcome;

typedef struct {
  ph_outcome is;
  int64_t bits; /* integers sign-extended from their width; of a terminator:
                   the label it goes to, a variable */
  bool inner;   /* an operand trapped, not the root */
} ph_semantics;

typedef struct {
  const ph_rule *rule;
  const ph_exprtype *types; /* by type of the rule */
  const int64_t *vars;      /* by variable */
  const int64_t *nodes;     /* by node: what _ is, and what a guard is told
                               that asks about a value */
  ph_shift_policy shifts;
  /* Asks the host: a guard whose arguments are constants. */
  bool (*ask)(void *ud, uint32_t node, int64_t *answer);
  void *ud;
} ph_assignment;

ph_semantics ph_semantics_tree(const ph_assignment *a, uint32_t node);
/* An expression, as the rule's matcher computes it. */
bool ph_semantics_expr(const ph_assignment *a, uint32_t node, int64_t *value);
/* One op: n operands of these types, none of which traps. */
ph_semantics ph_semantics_op(ph_op op, ph_shift_policy shifts, ph_exprtype type,
                             const ph_exprtype *types, const int64_t *args,
                             uint32_t n);
/* Is all of the rule known here: no ops of dialects, no calls? */
bool ph_semantics_isknown(const ph_rule *rule, ph_op *unknown);
/* Do the casts in it lead from and to such types? */
bool ph_semantics_fits(const ph_rule *rule, const ph_exprtype *types);

#endif
