/* constexpr.h: evaluates constant expressions of rules and guards. */
#ifndef PH_RULES_SET_CONSTEXPR_H
#define PH_RULES_SET_CONSTEXPR_H

#include "core/rules/set/rule.h"
#pragma GCC visibility push(hidden)

/* The type of a constant: an integer or float of so many bits; 0 bits: a plain
** integer of 64.  Widths need not be those of phial's types: rules are also
** checked at width 3. */
typedef struct {
  uint8_t bits;
  bool isfloat;
} ph_exprtype;

/* What the variables of a rule are bound to; types[0] is that of plain
** integers, of 0 bits. */
typedef struct ph_bindings ph_bindings;
struct ph_bindings {
  const ph_rule *rule;
  const int64_t *consts;    /* by variable: integers sign-extended from their
                               width, floats as the bits of a double */
  const ph_exprtype *types; /* by type of the rule */
  /* Answers what only the caller knows: functions of values, PH_R_CALL.  False:
  ** no answer, the rule does not apply. */
  bool (*ask)(const ph_bindings *b, uint32_t node, int64_t *answer);
  void *ud;
};

/* Computes an expression at the type of its node: sign-extended, or the bits of
** a double; truth is 1 or 0.  False: it has no value (a division by zero, a
** shift by the width or more), the rule does not apply. */
bool ph_constexpr_eval(const ph_bindings *b, uint32_t node, int64_t *value);

#pragma GCC visibility pop
#endif
