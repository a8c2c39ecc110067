/* phi_sources.c: the values that can flow to a phi.
**
** A value that is not a phi has only itself as a source; a phi has those of its
** operands, through all phis in between.  The walk is breadth first and meets
** each value once.  A phi that still waits for its operands is its own source.
** The cost is that of the phis in between, not of the function.
**
** Requires: nothing.  Changes only f->reached, the answer.
*/
#include "core/base/idset.h"
#include "core/ir/contract.h"
#include "phial/analysis.h"

typedef struct {
  ph_func *f;
  ph_idset seen;
  ph_ids phis; /* worklist; those before `done` have been examined */
  uint32_t done;
} walk;

static void meet(walk *w, uint32_t v) {
  ph_func *f = w->f;
  if (!ph_idset_add(&w->seen, &f->scratch, v)) return;
  if (ph_body_iswhole(f, v))
    ph_ids_push(&w->phis, &f->scratch, v);
  else
    ph_ids_push(&f->reached, &f->arena, v);
}

static void look_through(walk *w, uint32_t phi) {
  for (uint32_t i = 0; i < ph_node_of(w->f, phi)->nargs; i++)
    meet(w, ph_body_operand(w->f, phi, i));
}

uint32_t ph_phi_sources_count(ph_func *f, ph_value v) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  walk w = {0};
  assert(ph_contract_hasvalue(f, v) && "a value of this function");
  w.f = f;
  f->reached.n = 0;
  meet(&w, ph_body_resolve(f, v.id));
  while (w.done < w.phis.n) look_through(&w, w.phis.at[w.done++]);
  ph_scratch_leave(f, bottom);
  return f->reached.n;
}

ph_value ph_phi_sources_at(const ph_func *f, uint32_t k) {
  assert(k < f->reached.n && "from 0 to ph_phi_sources_count - 1");
  return ph_valueid(f->reached.at[k]);
}
