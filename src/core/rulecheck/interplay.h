/* interplay.h: what the rules of a set do to what one of them is for. */
#ifndef PH_RULECHECK_INTERPLAY_H
#define PH_RULECHECK_INTERPLAY_H

#include "core/base/vec.h"
#include "phial/rules.h"
#pragma GCC visibility push(hidden)

typedef struct {
  bool applied;    /* the rule, at least once */
  uint32_t before; /* another that was applied in its place; 0: none */
  ph_ids circle;   /* rules that go round in circles, without duplicates */
} ph_interplay;

/* Emits the pattern of rule n, at some types and with some constants at which
** its guard is true, into functions that use the set.  The answer lies in
** `a`. */
void ph_interplay_try(ph_ruleset *set, uint32_t n, ph_arena *a,
                      ph_interplay *found);

#pragma GCC visibility pop
#endif
