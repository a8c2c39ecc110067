/* flow.c: where values come from and where they go, through phis.
**
** A value that passes no operand on (ph_flow_passed) is its own source; a phi
** has the sources of its operands.  What a value reaches are its users and, if
** one of them is a phi, those of the phi.  Both walks are breadth first and meet
** each value once.  The cost is that of the phis in between and their operands,
** or uses, not of the function.
**
** Requires: nothing.  Changes only f->reached, the answer; a walk forwards makes
** def-use chains.
*/
#include "core/analysis/flow.h"

#include "core/ir/contract.h"
#include "core/ir/uses.h"
#include "phial/analysis.h"

static void go_back(ph_flow *w, uint32_t v) {
  uint32_t n = ph_flow_passed(w->f, v);
  for (uint32_t i = 0; i < n; i++) ph_flow_meet(w, ph_body_operand(w->f, v, i));
}

void ph_flow_back(ph_flow *w) {
  while (w->done < w->list.n) go_back(w, w->list.at[w->done++]);
}

#define EACH_USE(f, v, use)                           \
  for (uint32_t use = ph_uses_find(f, v); (use) != 0; \
       (use) = ph_uses_next(f, ph_valueid(v), use))

static void go_forth(ph_flow *w, uint32_t v) {
  EACH_USE(w->f, v, use) {
    uint32_t user = ph_uses_user(w->f, use).id;
    if (ph_uses_index(w->f, use) < ph_flow_passed(w->f, user))
      ph_flow_meet(w, user);
  }
}

void ph_flow_forth(ph_flow *w) {
  while (w->done < w->list.n) go_forth(w, w->list.at[w->done++]);
}

/* Adds v, which was examined, to the answer if it is a source. */
static void add_source(ph_func *f, uint32_t v) {
  if (ph_flow_passed(f, v) == 0) ph_ids_push(&f->reached, &f->arena, v);
}

uint32_t ph_flow_sources(ph_func *f, ph_value v, uint32_t limit) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_flow w = {f, {0}, {0}, 0};
  assert(ph_contract_hasvalue(f, v) && "a value of this function");
  f->reached.n = 0;
  ph_flow_meet(&w, ph_body_resolve(f, v.id));
  while (w.done < w.list.n && f->reached.n < limit) {
    uint32_t next = w.list.at[w.done++];
    add_source(f, next);
    go_back(&w, next);
  }
  ph_scratch_leave(f, bottom);
  return f->reached.n;
}

uint32_t ph_flow_reached(ph_func *f, ph_value v) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_flow w = {f, {0}, {0}, 0};
  ph_idset users = {0};
  assert(ph_contract_hasvalue(f, v) && "a value of this function");
  f->reached.n = 0;
  ph_flow_meet(&w, ph_body_resolve(f, v.id));
  ph_flow_forth(&w);
  for (uint32_t i = 0; i < w.list.n; i++) {
    EACH_USE(f, w.list.at[i], use) {
      uint32_t user = ph_uses_user(f, use).id;
      if (ph_idset_add(&users, &f->scratch, user))
        ph_ids_push(&f->reached, &f->arena, user);
    }
  }
  ph_vec_sortids(&f->reached);
  ph_scratch_leave(f, bottom);
  return f->reached.n;
}

ph_value ph_flow_at(const ph_func *f, uint32_t k) {
  assert(k < f->reached.n && "from 0 to the number found - 1");
  return ph_valueid(f->reached.at[k]);
}
