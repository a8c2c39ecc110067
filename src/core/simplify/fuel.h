/* fuel.h: how many rules an emit can apply; which ones it has applied. */
#ifndef PH_SIMPLIFY_FUEL_H
#define PH_SIMPLIFY_FUEL_H

#include "core/rules/match/match.h"
#pragma GCC visibility push(hidden)

/* Rules that an outermost emit may apply, and how many are suspicious; most apply a few. */
enum { PH_FUEL = 200, PH_FUEL_MUCH = 16, PH_FUEL_DEPTH = 48 };

typedef struct {
  uint32_t allowed; /* rules that the function may still apply */
  uint32_t left;    /* rules that the outermost emit may still apply */
  uint32_t resting; /* `allowed`, while passes apply none; or 0 */
  uint32_t ended;   /* the set that passes do not apply (fuel.c), or 0 */
  uint32_t depth;   /* of nested emits */
  bool careful;     /* ask ph_fuel_mustrest */
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
  if (s->left > 0) s->left--;
  if (--s->allowed == 0 || s->left == PH_FUEL - PH_FUEL_MUCH) s->careful = true;
  ph_ids_push(&s->trail, &f->arena, rule);
}
/* True if no rule is to be applied in block b: the function may apply no more, or
** nothing is known to enter b.  Requires: s->careful; else it is not so. */
bool ph_fuel_mustrest(const ph_func *f, const ph_fuel *s, uint32_t b);
/* Fuel is used up where a rule might apply to *p: notes that, and returns
** PH_MATCH_NONE, or, in strict mode, PH_MATCH_FAILED, unless *p is computed from
** itself, and so never runs: nothing is wrong with the rules then. */
ph_matched ph_fuel_out(ph_func *f, ph_fuel *s, const ph_pending *p);
/* The pass under way, and later ones, apply no rules any more, until the set
** changes. */
void ph_fuel_end(const ph_func *f, ph_fuel *s);
/* True if they do not. */
bool ph_fuel_isended(const ph_func *f, const ph_fuel *s);
/* To be called before passes over a function with rules, and after any. */
void ph_fuel_startpasses(const ph_func *f, ph_fuel *s);
void ph_fuel_endpasses(ph_fuel *s);

#pragma GCC visibility pop
#endif
