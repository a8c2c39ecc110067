/* dce.c: removes what is dead: values that nothing needs, and edges that are
** never taken.
**
** `ph_dce_run` keeps instructions that act (that write, that may trap, or end a
** block) and what these need.  Reads do not count: this is the strict clean-up
** that a host asks for.  The function must be finished, because during
** construction, values that nothing uses yet may still be needed.
**
** `ph_dead_phi_remove`, by which finish prunes, keeps all instructions, and the
** phis that a read returned or an instruction uses, also through other phis:
** pruned SSA form as the paper has it, with reads as uses.  What is said of
** phis is also true of the values that construction makes of lazy definitions
** (PH_IS_LAZY).  Construction makes no unneeded phi; they come from edges that
** finish folds away, and from refinements that meet: what they refine replaces
** them.
**
** While a pass runs, a branch on a constant only marks its other edges, and a
** trap_if whose condition is true all edges of its block, which will end there.
** Removing an edge costs as much as its target has edges and phis, so all
** marked edges of a target are removed at once, at the end.
**
** A block to which no edge is left is dead, and its own edges are marked.
** Loops: an edge from a block that its target dominates does not count, since
** it can only be taken after another edge to the target.  The dominator tree
** from the start of the pass is good enough, because removing edges only adds
** to dominance.  So all dead blocks are found at once, except loops with
** several entries, whose remains a search from the entry finds (finish.c).
**
** Requires: for edges, every block is reachable.  Changes: values; edges, phi
** operands, terminators that become jumps.  Keeps: blocks.
*/
#include "core/edit/dce.h"

#include "core/analysis/needed.h"
#include "core/ir/block.h"
#include "core/ir/event.h"
#include "core/ir/value.h"

/*
** {== Values that nothing needs ======================================
*/

/* Removes from v to the end of its list what is not needed; returns how
** many. */
static uint32_t remove_from(ph_func *f, uint32_t v, const bool *needed) {
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

/* Removes phis, and instructions if `all`, that are not needed. */
static uint32_t remove_unneeded(ph_func *f, const bool *needed, bool all) {
  uint32_t count = 0;
  PH_EACH_BLOCK(f, b) {
    count += remove_from(f, ph_blockrec_of(f, b)->first_phi, needed);
    if (all) count += remove_from(f, ph_blockrec_of(f, b)->first, needed);
  }
  return count;
}

uint32_t ph_dce_run(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  uint32_t count;
  ph_must(f->finished && "a finished function");
  ph_event_note(f, PH_EV_EDITED, 0, 0, 0, 0);
  count = remove_unneeded(f, ph_needed_find(f, &f->scratch, NULL, PH_ROOTS_ACT),
                          true);
  ph_scratch_leave(f, bottom);
  return count;
}

/* }== Phis that nothing needs ======================================== */

/* True if there may be some; mostly there are none, which is cheap to see. */
static bool may_have_dead(const ph_func *f) {
  if (f->refines) return true;
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PHI(f, b, v) {
      if (!ph_needed_isroot(f, PH_ROOTS_UNPRUNED, v)) return true;
    }
  }
  return false;
}

ph_value ph_dead_phi_find(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  const bool *needed = ph_needed_find(f, &f->scratch, NULL, PH_ROOTS_UNPRUNED);
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
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  uint32_t count = 0;
  if (may_have_dead(f))
    count = remove_unneeded(
        f, ph_needed_find(f, &f->scratch, NULL, PH_ROOTS_UNPRUNED), f->refines);
  ph_scratch_leave(f, bottom);
  return count;
}

/* }== Edges that are never taken ===================================== */

static const ph_edge *edge_of(const ph_prune_edges *c, uint32_t e) {
  return &c->f->edges.at[e];
}

static bool leads_back(const ph_prune_edges *c, uint32_t e) {
  return ph_dom_covers(c->d, edge_of(c, e)->to, edge_of(c, e)->from);
}

ph_prune_edges ph_prune_edges_start(ph_func *f, const ph_domtree *d,
                                    ph_arena *a) {
  ph_prune_edges c = {0};
  c.f = f;
  c.a = a;
  c.d = d;
  c.gone = ph_arena_zero(a, f->edges.n * sizeof *c.gone);
  c.dead = ph_arena_zero(a, f->blocks.n * sizeof *c.dead);
  return c;
}

/* Counts the edges: only now, since most passes find all of them taken. */
static void count_entries(ph_prune_edges *c) {
  uint32_t n = c->f->blocks.n;
  c->entries = ph_arena_zero(c->a, 2 * sizeof *c->entries * n);
  c->kept = c->entries + n;
  PH_EACH_BLOCK(c->f, b) {
    PH_EACH_PRED(c->f, b, e) c->entries[b] += !leads_back(c, e);
  }
}

static void mark_edge(ph_prune_edges *c, uint32_t e) {
  uint32_t to = edge_of(c, e)->to;
  if (c->gone[e]) return;
  c->gone[e] = true;
  ph_ids_push(&c->lost, c->a, to);
  if (leads_back(c, e) || --c->entries[to] > 0) return;
  c->dead[to] = true;
  ph_ids_push(&c->dying, c->a, to);
}

static void mark_edges(ph_prune_edges *c, uint32_t b, uint32_t but) {
  const ph_blockrec *block = ph_blockrec_of(c->f, b);
  for (uint32_t i = 0; i < block->nsuccs; i++)
    if (block->first_succ + i != but) mark_edge(c, block->first_succ + i);
}

/* Marks the edges of b except one, and those of all blocks that die. */
static void leave_one(ph_prune_edges *c, uint32_t b, uint32_t edge) {
  if (c->entries == NULL) count_entries(c);
  mark_edges(c, b, edge);
  while (c->dying.n > 0) mark_edges(c, c->dying.at[--c->dying.n], 0);
}

void ph_prune_edges_keep(ph_prune_edges *c, uint32_t b, uint32_t edge) {
  leave_one(c, b, edge);
  c->kept[b] = edge;
  ph_ids_push(&c->ended, c->a, b);
}

void ph_prune_edges_trap(ph_prune_edges *c, uint32_t v) {
  leave_one(c, ph_node_of(c->f, v)->block, 0);
  ph_ids_push(&c->traps, c->a, v);
}

static bool is_gone(const void *ud, uint32_t e) {
  const ph_prune_edges *c = ud;
  return c->gone[e];
}

/* Replaces `old`, the last instruction of b, by a terminator with its source
** location; of the edges of b only `kept` stays, if any. */
static void end_by(ph_func *f, uint32_t b, uint32_t old, ph_op op,
                   uint32_t kept) {
  const ph_edge none = {0};
  ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t v = ph_value_node(f, op, PH_NOTYPE);
  ph_value_setloc(f, ph_valueid(v), ph_value_loc(f, ph_valueid(old)));
  ph_event_note(f, PH_EV_SIMPLIFIED, b, 0, old, v);
  ph_value_takeout(f, old);
  ph_value_append(f, b, v);
  ph_value_replace(f, old, v);
  for (uint32_t i = 0; i < block->nsuccs; i++)
    if (block->first_succ + i != kept)
      f->edges.at[block->first_succ + i] = none;
  block->first_succ = kept;
  block->nsuccs = kept != 0;
  block->inert = false;
  f->flow_changes++;
}

/* Ends the block of v, a trap_if, there. */
static void end_by_trap(ph_func *f, uint32_t v) {
  uint32_t b = ph_node_of(f, v)->block, message = ph_node_of(f, v)->aux, last;
  while ((last = ph_blockrec_of(f, b)->last) != v) {
    ph_value_takeout(f, last);
    ph_value_replace(f, last, 0);
  }
  end_by(f, b, v, PH_TRAP, 0);
  ph_node_of(f, ph_blockrec_of(f, b)->last)->aux = message;
}

void ph_prune_edges_apply(ph_prune_edges *c) {
  bool *done = ph_arena_zero(c->a, c->f->blocks.n * sizeof *done);
  for (uint32_t i = 0; i < c->lost.n; i++) {
    uint32_t b = c->lost.at[i];
    if (!done[b] && !c->dead[b]) ph_block_unlink(c->f, b, is_gone, c);
    done[b] = true;
  }
  for (uint32_t i = 0; i < c->ended.n; i++) {
    uint32_t b = c->ended.at[i];
    if (!c->dead[b])
      end_by(c->f, b, ph_blockrec_of(c->f, b)->last, PH_JUMP, c->kept[b]);
  }
  for (uint32_t i = 0; i < c->traps.n; i++)
    if (!c->dead[ph_node_of(c->f, c->traps.at[i])->block])
      end_by_trap(c->f, c->traps.at[i]);
}

/* }=================================================================== */
