/* redundant_phi.c: removes redundant sets of phis (section 3.2), all in one
** pass.
**
** What replaces them is found by dominators (analysis/redundant_phi.c).
**
** Requires: nothing.  Changes: takes phis out, replaces them.  Keeps: blocks,
** edges, instructions.
*/
#include "phial/construct.h"
#include "core/analysis/redundant_phi.h"
#include "core/ir/body.h"
#include "core/ir/event.h"
#include "core/ir/value.h"
#include "core/lookup/trivial_phi.h"

static void replace(ph_func *f, uint32_t phi, uint32_t by) {
  if (by == PH_NOTHING) by = ph_const_undef(f, ph_node_of(f, phi)->type).id;
  ph_event_note(f, PH_EV_REDUNDANT, ph_node_of(f, phi)->block, 0, phi, by);
  ph_value_takeout(f, phi);
  ph_value_replace(f, phi, by);
  f->stats.redundant_phis++;
}

static void remove_all(ph_func *f, const uint32_t *top) {
  PH_EACH_BLOCK(f, b) {
    uint32_t v = ph_blockrec_of(f, b)->first_phi;
    while (v != 0) {
      uint32_t next = ph_node_of(f, v)->next;
      if (top[v] != 0) replace(f, v, top[v]);
      v = next;
    }
  }
}

static void run(ph_func *f, const ph_ids *unproven) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  const uint32_t *top = ph_redundant_phi_tops(f, &f->scratch, unproven);
  if (top != NULL) remove_all(f, top);
  ph_scratch_leave(f, bottom);
}

/* Construction does not look through refinements: phis that it calls firm can
** be redundant then. */
void ph_redundant_phi_remove(ph_func *f) {
  const ph_ids *unproven = f->refines ? NULL : ph_trivial_phi_unproven(f);
  if (unproven != NULL ? unproven->n > 0 : f->phis.n > 1) run(f, unproven);
  ph_trivial_phi_forget(f);
  f->as_placed = false;
}
