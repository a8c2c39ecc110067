/* rewrite.h: makes the results of rules. */
#ifndef PH_RULES_MATCH_REWRITE_H
#define PH_RULES_MATCH_REWRITE_H

#include "core/rules/match/test.h"

/* Puts the result of t->pattern, which matches, into *t->p.  PH_MATCH_NONE: it
** has none, and nothing has changed. */
ph_matched ph_rewrite_make(ph_test_state *t);

#endif
