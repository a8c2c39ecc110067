/* rewrite.h: makes the results of rules. */
#ifndef PH_RULES_MATCH_REWRITE_H
#define PH_RULES_MATCH_REWRITE_H

#include "core/rules/match/test.h"
#pragma GCC visibility push(hidden)

/* Puts the result of t->pattern, which matches, into *t->p.  PH_MATCH_NONE: it
** has none, and nothing has changed. */
ph_matched ph_rewrite_make(ph_test_state *t);

/* The first op of the set at or below a node of the result whose dialect t->f
** does not have; PH_NONE: the result is possible. */
ph_op ph_rewrite_missing(const ph_test_state *t, uint32_t node);

/* Computes the expressions of the result of t->pattern, which fits; false: one
** of them has no value. */
bool ph_rewrite_computes(ph_test_state *t);

#pragma GCC visibility pop
#endif
