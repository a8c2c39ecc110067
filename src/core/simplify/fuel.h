/* fuel.h: how many rules an emit can apply; which ones it has applied. */
#ifndef PH_SIMPLIFY_FUEL_H
#define PH_SIMPLIFY_FUEL_H

#include "core/rules/match/match.h"
#pragma GCC visibility push(hidden)

enum { PH_FUEL = 200, PH_FUEL_DEPTH = 48 };

typedef struct {
  uint32_t allowed; /* rules that the function may still apply */
  uint32_t left;    /* rules that the outermost emit may still apply */
  uint32_t depth;   /* of nested emits */
  bool strict;      /* running out of fuel is a failure */
  bool exhausted;   /* the emit under way has failed for that reason */
  ph_ids trail;     /* rules applied by the outermost emit, in order */
  ph_ids circle;    /* the trail when fuel ran out for the first time */
} ph_fuel;

/* Begins an outermost emit. */
static inline void ph_fuel_fill(ph_fuel *s) {
  s->left = PH_FUEL;
  s->depth = 0;
  s->exhausted = false;
  s->trail.n = 0;
}
static inline bool ph_fuel_isspent(const ph_fuel *s) {
  return s->left == 0 || s->depth > PH_FUEL_DEPTH;
}
/* Notes that a rule is applied.  To be called before its result is made, so
** that outer rules precede nested ones. */
static inline void ph_fuel_spend(ph_func *f, ph_fuel *s, uint32_t rule) {
  s->allowed--;
  if (s->left > 0) s->left--;
  ph_ids_push(&s->trail, &f->arena, rule);
}
/* Fuel is used up where a rule might apply to *p: notes that, and returns
** PH_MATCH_NONE, or, in strict mode, PH_MATCH_FAILED.  Code that is computed
** from itself, and so never runs, does not count as a circle of rules. */
ph_matched ph_fuel_out(ph_func *f, ph_fuel *s, const ph_pending *p);

#pragma GCC visibility pop
#endif
