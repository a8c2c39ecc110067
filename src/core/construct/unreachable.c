/* unreachable.c: blocks that the entry does not reach: dropped or cut off.
**
** If a function keeps its unreachable blocks, they must not make a difference
** to the others.  So the edges between the two are cut, and the passes that
** simplify do not see unreachable blocks at all: these are taken out, with the
** uses that they make, and put back afterwards.
**
** An edge that was cut remains a target of its terminator, but has not arrived:
** its block is inert.
*/
#include "core/construct/unreachable.h"

#include "core/analysis/rpo.h"
#include "core/edit/edge_index.h"
#include "core/ir/block.h"
#include "core/ir/event.h"
#include "core/ir/uses.h"
#include "core/lookup/state.h"
#include "core/lookup/trivial_phi.h"

/*
** {== Finding ========================================================
*/

/* True if an edge leads to b from an older block.  (An edge that was cut comes
** from block 0.) */
static bool is_entered(const ph_func *f, uint32_t b) {
  PH_EACH_PRED(f, b, e) {
    uint32_t from = f->edges.at[e].from;
    if (from != 0 && from < b) return true;
  }
  return b == 1;
}

/* True if every block is obviously reached.  Most frontends make blocks so that
** each is entered from an older one: then no search is necessary. */
static bool all_reached(const ph_func *f) {
  if (f->state != NULL && ph_state_countsall(f, f->state->entered)) return true;
  PH_EACH_BLOCK(f, b) {
    if (!is_entered(f, b)) return false;
  }
  return true;
}

/* }== Taking out ===================================================== */

static void drop_value(ph_func *f, uint32_t v) {
  ph_uses_unlink(f, v);
  ph_node_of(f, v)->flags |= PH_IS_DROPPED;
}

static void drop_block(ph_func *f, uint32_t b) {
  PH_EACH_PHI(f, b, v) drop_value(f, v);
  PH_EACH_INST(f, b, v) drop_value(f, v);
  ph_blockrec_of(f, b)->removed = PH_REMOVED;
  ph_event_note(f, PH_EV_DROPPED, b, 0, 0, 0);
}

static void take_out(ph_func *f, uint32_t b) {
  PH_EACH_PHI(f, b, v) ph_uses_unlink(f, v);
  PH_EACH_INST(f, b, v) ph_uses_unlink(f, v);
  ph_blockrec_of(f, b)->removed = PH_TAKEN_OUT;
}

/* True if there were any. */
static bool remove_unreached(ph_func *f) {
  const ph_rpo *o = ph_rpo_compute(f, &f->scratch);
  bool any = false;
  PH_EACH_BLOCK(f, b) {
    if (ph_rpo_reached(o, ph_blockid(b))) continue;
    if (f->keeps_unreachable)
      take_out(f, b);
    else
      drop_block(f, b);
    any = true;
  }
  return any;
}

static bool comes_from_removed(const void *ud, uint32_t edge) {
  const ph_func *f = ud;
  return ph_blockrec_of(f, f->edges.at[edge].from)->removed;
}

/* True if an edge leads from a removed block to b. */
static bool has_removed_pred(const ph_func *f, uint32_t b) {
  PH_EACH_PRED(f, b, e) {
    if (comes_from_removed(f, e)) return true;
  }
  return false;
}

static void unlink_removed(ph_func *f) {
  ph_trivial_phi_forget(f);
  PH_EACH_BLOCK(f, b) {
    if (has_removed_pred(f, b)) ph_block_unlink(f, b, comes_from_removed, f);
  }
}

void ph_unreachable_takeout(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_edge_index_forget(f);
  if (!all_reached(f) && remove_unreached(f)) unlink_removed(f);
  if (f->state != NULL) f->state->entered = 0; /* edges may be cut now */
  ph_scratch_leave(f, bottom);
  f->version++;
}

/* }== Putting back =================================================== */

static bool is_out(const ph_func *f, uint32_t b) {
  return ph_blockrec_of(f, b)->removed == PH_TAKEN_OUT;
}

/* Marks b, which is out, if edges from it have been cut. */
static void mark_cut(ph_func *f, uint32_t b) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  for (uint32_t i = 0; i < block->nsuccs; i++)
    if (!is_out(f, f->edges.at[block->first_succ + i].to)) block->inert = true;
}

static void put_back(ph_func *f, uint32_t b) {
  ph_blockrec_of(f, b)->removed = PH_PRESENT;
  PH_EACH_PHI(f, b, v) ph_uses_link(f, v);
  PH_EACH_INST(f, b, v) ph_uses_link(f, v);
}

bool ph_unreachable_putback(ph_func *f) {
  bool any = false;
  if (!f->keeps_unreachable) return false;
  for (uint32_t b = 1; b < f->blocks.n; b++)
    if (is_out(f, b)) mark_cut(f, b);
  for (uint32_t b = 1; b < f->blocks.n; b++) {
    if (!is_out(f, b)) continue;
    put_back(f, b);
    any = true;
  }
  f->version++;
  return any;
}

/* }=================================================================== */
