/* result.h: what a rule makes of an instruction. */
#ifndef PH_RESULT_H
#define PH_RESULT_H

#include "core/rules/match/test.h"

/* Puts the result of t->pattern, which fits, into *t->p.  PH_MATCH_NONE: there
** is none, and nothing has changed. */
ph_matched ph_result_make(ph_trial *t);

#endif
