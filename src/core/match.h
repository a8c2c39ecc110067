/* match.h: rules applied to an instruction that is not there yet. */
#ifndef PH_MATCH_H
#define PH_MATCH_H

#include "core/matcher.h"

/* f uses the rules of the set from now on. */
void ph_match_use(ph_func *f, ph_rules *set, const ph_engine *engine);
/* From now on late rules apply, too, or no more; are there any? */
bool ph_match_late(ph_func *f, bool late);
/* The first two operands of v and their tags; 0 and PH_NONE where there are
** none: phis are opaque. */
void ph_match_look(ph_func *f, uint32_t v, uint32_t *slots, uint32_t *tags);
/* The patterns of a root op that the ops of the operands allow. */
typedef struct {
  const ph_ruletable *table;
  uint32_t at; /* 0: none */
} ph_matchlist;

static inline ph_matchlist ph_match_list(ph_func *f, const ph_pending *p) {
  ph_matchlist none = {NULL, 0}, l;
  ph_op op = ph_matcher_op(f, p->op);
  uint32_t a = PH_NONE, b = PH_NONE;
  if (op == PH_NONE) return none;
  if (p->nargs > 0) a = ph_matcher_tag(f, p->args[0]);
  if (p->nargs > 1) b = ph_matcher_tag(f, p->args[1]);
  l.table = ph_compile_table(f->matcher->set, op);
  l.at = ph_dispatch_list(&l.table->dispatch, a, b,
                          p->nargs > 1 && p->args[0] == p->args[1]);
  return l;
}

/* Tries them; f->matcher is there. */
ph_matched ph_match_try(ph_func *f, ph_matchlist list, ph_pending *p);

#endif
