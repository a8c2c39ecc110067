/* semantics.h: the semantics of a rule's trees for given values. */
#ifndef PH_RULECHECK_SEMANTICS_H
#define PH_RULECHECK_SEMANTICS_H

#include "phial/rules.h"
#include "core/rules/set/constexpr.h"
#pragma GCC visibility push(hidden)

typedef enum {
  PH_MEANS_VALUE,
  PH_MEANS_TRAP,     /* it traps */
  PH_MEANS_ANYTHING, /* undefined: a shift by too much */
  PH_MEANS_NOTHING   /* never evaluated: the rule does not apply */
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
  const int64_t *nodes;     /* by node: the value of _; the answer that a guard
                               gets about a value */
  ph_shift_policy shifts;
  /* Calls a callback of a guard, whose arguments are constants. */
  bool (*ask)(void *ud, uint32_t node, int64_t *answer);
  /* Evaluates an op of a dialect; false: it traps. */
  bool (*eval)(void *ud, ph_op op, const ph_exprtype *types,
               const int64_t *args, uint32_t n, int64_t *value);
  void *ud;
} ph_assignment;

ph_semantics ph_semantics_tree(const ph_assignment *a, uint32_t node);
/* Evaluates an expression as the matcher does. */
bool ph_semantics_expr(const ph_assignment *a, uint32_t node, int64_t *value);
/* Evaluates one op with n operands of these types, none of which traps. */
ph_semantics ph_semantics_op(ph_op op, ph_shift_policy shifts, ph_exprtype type,
                             const ph_exprtype *types, const int64_t *args,
                             uint32_t n);
/* The most operands that a node can have. */
enum { PH_SEMANTICS_MOST = 16 };
/* True if the casts are possible between these types. */
bool ph_semantics_fits(const ph_rule *rule, const ph_exprtype *types);

#pragma GCC visibility pop
#endif
