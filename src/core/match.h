/* match.h: rules applied to an instruction that is not there yet. */
#ifndef PH_MATCH_H
#define PH_MATCH_H

#include "core/matcher.h"

/* f uses the rules of the set from now on. */
void ph_match_use(ph_func *f, ph_rules *set, const ph_engine *engine);
/* From now on late rules apply, too, or no more; are there any? */
bool ph_match_late(ph_func *f, bool late);
/* The most operands, or targets, that the result of a rule has; at least 8. */
uint32_t ph_match_roomy(ph_func *f);
static inline uint32_t ph_match_room(ph_func *f) {
  const ph_matcher *m = f->matcher;
  return m->changes == m->set->changes ? m->room : ph_match_roomy(f);
}
/* Tries the rules; f->matcher is there. */
ph_matched ph_match_run(ph_func *f, ph_pending *p);

#endif
