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
/* The first two operands of v and their tags; 0 and PH_NONE where there are
** none: phis are opaque. */
void ph_match_look(ph_func *f, uint32_t v, uint32_t *slots, uint32_t *tags);
/* Tries the patterns of a list of the table. */
ph_matched ph_match_try(ph_func *f, const ph_ruletable *table, uint32_t list,
                        ph_pending *p);
/* Tries the rules; f->matcher is there.  Mostly the table alone says no. */
static inline ph_matched ph_match_run(ph_func *f, ph_pending *p) {
  ph_op op = ph_matcher_op(f, p->op);
  const ph_ruletable *table;
  uint32_t tags[2], list;
  if (op == PH_NONE) return PH_MATCH_NONE;
  table = ph_compile_table(f->matcher->set, op);
  for (uint32_t i = 0; i < 2; i++)
    tags[i] = i < p->nargs ? ph_matcher_tag(f, p->args[i]) : (uint32_t)PH_NONE;
  list = ph_dispatch_list(&table->dispatch, tags[0], tags[1],
                          p->nargs > 1 && p->args[0] == p->args[1]);
  return list == 0 ? PH_MATCH_NONE : ph_match_try(f, table, list, p);
}

#endif
