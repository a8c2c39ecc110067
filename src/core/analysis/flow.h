/* flow.h: walks along values that pass others on, such as phis. */
#ifndef PH_ANALYSIS_FLOW_H
#define PH_ANALYSIS_FLOW_H

#include "core/base/idset.h"
#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Returns how many of its operands, from 0 on, v passes on: v is one of these,
** whatever else it uses.  A phi that still waits for its operands passes none
** on; a refinement passes on what it refines, a may-write what was there and
** what may have been written. */
static inline uint32_t ph_flow_passed(const ph_func *f, uint32_t v) {
  ph_op op = ph_node_of(f, v)->op;
  if (op == PH_REFINE) return 1;
  if (op == PH_MAY) return 2;
  return ph_body_iswhole(f, v) ? ph_node_of(f, v)->nargs : 0;
}

/* A walk, in f->scratch.  Values are listed when they are met first; those
** before `done` have been examined. */
typedef struct {
  ph_func *f;
  ph_idset seen;
  ph_ids list;
  uint32_t done;
} ph_flow;

static inline void ph_flow_meet(ph_flow *w, uint32_t v) {
  if (ph_idset_add(&w->seen, &w->f->scratch, v))
    ph_ids_push(&w->list, &w->f->scratch, v);
}
/* Meet all values that those in the list pass on, or that pass them on. */
void ph_flow_back(ph_flow *w);
void ph_flow_forth(ph_flow *w);

#pragma GCC visibility pop
#endif
