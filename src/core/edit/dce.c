/* dce.c: dead code elimination; phis that nothing needs.
**
** `ph_dce_run` keeps instructions that act (that write, that may trap, or end a
** block) and what these need.  Reads do not count: this is the strict clean-up
** that a host asks for.  The function must be finished, because during
** construction, values that nothing uses yet may still be needed.
**
** `ph_dead_phi_remove`, by which finish prunes, keeps all instructions, and the
** phis that a read returned or an instruction uses, also through other phis:
** pruned SSA form as the paper has it, with reads as uses.  What is said of phis
** is also true of the values that construction makes of lazy definitions
** (PH_IS_LAZY).  Construction makes no unneeded phi; they come from edges that
** finish folds away, and from refinements that meet: what they refine replaces
** them.
**
** Changes: removes values.  Keeps: blocks and edges.
*/
#include <assert.h>

#include "core/analysis/needed.h"
#include "core/ir/event.h"
#include "core/ir/value.h"
#include "phial/analysis.h"

/* Removes, from v to the end of its list, the values that are not needed;
** returns how many. */
static uint32_t remove_unneeded(ph_func *f, uint32_t v, const bool *needed) {
  uint32_t count = 0;
  while (v != 0) {
    uint32_t next = ph_node_of(f, v)->next;
    if (!needed[v]) {
      ph_value_takeout(f, v);
      ph_value_replace(f, v, 0);
      count++;
    }
    v = next;
  }
  return count;
}

static bool acts(const ph_func *f, uint32_t v) {
  return ph_needed_acts(f, ph_node_of(f, v)->op);
}

uint32_t ph_dce_run(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  const bool *needed;
  uint32_t count = 0;
  assert(f->finished && "a finished function");
  ph_event_note(f, PH_EV_EDITED, 0, 0, 0, 0);
  needed = ph_needed_find(f, &f->scratch, NULL, acts);
  PH_EACH_BLOCK(f, b) {
    count += remove_unneeded(f, ph_blockrec_of(f, b)->first_phi, needed);
    count += remove_unneeded(f, ph_blockrec_of(f, b)->first, needed);
  }
  ph_scratch_leave(f, bottom);
  return count;
}

/*
** {== Phis ===========================================================
*/

/* True if v stays even if nothing needs it. */
static bool stays(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  return (n->op != PH_PHI && !(n->flags & PH_IS_LAZY)) || n->flags & PH_IS_READ;
}

ph_value ph_dead_phi_find(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  const bool *needed = ph_needed_find(f, &f->scratch, NULL, stays);
  uint32_t found = 0;
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PHI(f, b, v) {
      if (found == 0 && !needed[v]) found = v;
    }
  }
  ph_scratch_leave(f, bottom);
  return ph_valueid(found);
}

uint32_t ph_dead_phi_remove(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  const bool *needed = ph_needed_find(f, &f->scratch, NULL, stays);
  uint32_t count = 0;
  PH_EACH_BLOCK(f, b) {
    count += remove_unneeded(f, ph_blockrec_of(f, b)->first_phi, needed);
    if (f->refines)
      count += remove_unneeded(f, ph_blockrec_of(f, b)->first, needed);
  }
  ph_scratch_leave(f, bottom);
  return count;
}

/* }=================================================================== */
