/* fuel.h: how many rules an emit can apply; which ones it has applied. */
#ifndef PH_SIMPLIFY_FUEL_H
#define PH_SIMPLIFY_FUEL_H

#include "core/simplify/local_cse.h"
#pragma GCC visibility push(hidden)

enum { PH_FUEL = 200, PH_FUEL_DEPTH = 48 };

/* Begins an outermost emit. */
static inline void ph_fuel_fill(struct ph_peephole *s) {
  s->fuel = PH_FUEL;
  s->depth = 0;
  s->exhausted = false;
  s->trail.n = 0;
}
static inline bool ph_fuel_isspent(const struct ph_peephole *s) {
  return s->fuel == 0 || s->depth > PH_FUEL_DEPTH;
}
/* Notes that a rule is applied.  To be called before its result is made, so
** that outer rules precede nested ones. */
void ph_fuel_spend(ph_func *f, uint32_t rule);
/* Fuel is used up where a rule might apply to *p: notes that, and returns
** PH_MATCH_NONE, or, in strict mode, PH_MATCH_FAILED.  Code that is computed
** from itself, and so never runs, does not count as a circle of rules. */
ph_matched ph_fuel_out(ph_func *f, const ph_pending *p);

#pragma GCC visibility pop
#endif
