/* liveness.c: the values that are live at the start, or end, of a block.
**
** Values are treated one by one: from each block that uses the value, a walk
** goes up through predecessors to the block that defines it, and the value is
** live at the start of each block on these paths (path exploration: Boissinot,
** Hack, Grund, Dupont de Dinechin and Rastello, "Fast liveness checking for
** SSA-form programs", 2008).  One mark per block, the last value seen there,
** ends a walk where an earlier one of the same value has been.  Time and memory
** are linear in the size of function and answer (docs/internals/analyses.md).
**
** An operand of a phi is used at the end of its predecessor.  A phi defines its
** value at the start of its block, so that it is not live-in there by itself.
** Parameters are defined before the start of the entry.  Constants and undef
** belong to no block.
**
** Requires: nothing; a phi that waits for its operands uses none yet.  Changes
** nothing.
*/
#include <assert.h>

#include "core/analysis/graph.h"
#include "core/base/idmap.h"
#include "core/ir/contract.h"
#include "phial/analysis.h"

/* The "targets" of a block are the values live at its start, sorted by id. */
struct ph_liveness {
  ph_csr values;
};

typedef struct {
  const ph_func *f;
  ph_arena *a;
  ph_csr preds;   /* by block: its predecessors, without duplicates */
  ph_csr uses;    /* by value: blocks that use it, other than its own */
  ph_pairs found; /* pairs of a block and a value live at its start */
  uint32_t *seen; /* by block: the last value found live there */
  ph_ids todo;    /* worklist: blocks whose predecessors are next */
} walk;

/*
** {== Predecessors and uses ==========================================
*/

/* Lists the predecessors of each block.  Several edges between the same two
** blocks (a switch) count once. */
static ph_csr single_preds(const ph_func *f, ph_arena *a) {
  uint32_t *seen = ph_arena_zero(a, f->blocks.n * sizeof(uint32_t));
  ph_pairs edges = {0};
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PRED(f, b, e) {
      uint32_t from = f->edges.at[e].from;
      if (seen[from] != b) ph_csr_add(&edges, a, b, from);
      seen[from] = b;
    }
  }
  return ph_csr_make(a, f->blocks.n, &edges);
}

static void add_use(const walk *w, ph_pairs *uses, uint32_t v, uint32_t block) {
  const ph_node *n = ph_node_of(w->f, v);
  bool can_live = n->block != 0 || n->op == PH_PARAM;
  if (can_live && n->block != block) ph_csr_add(uses, w->a, v, block);
}

static void add_phi_uses(const walk *w, ph_pairs *uses, uint32_t b,
                         uint32_t phi) {
  uint32_t i = 0;
  if (!ph_body_iswhole(w->f, phi)) return;
  PH_EACH_PRED(w->f, b, e) {
    add_use(w, uses, ph_body_operand(w->f, phi, i++), w->f->edges.at[e].from);
  }
}

static ph_csr uses_elsewhere(const walk *w) {
  const ph_func *f = w->f;
  ph_pairs uses = {0};
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PHI(f, b, v) add_phi_uses(w, &uses, b, v);
    PH_EACH_INST(f, b, v) {
      for (uint32_t i = 0; i < ph_node_of(f, v)->nargs; i++)
        add_use(w, &uses, ph_body_operand(f, v, i), b);
    }
  }
  return ph_csr_make(w->a, f->nodes.n, &uses);
}

/* }== Walks ========================================================== */

static void reach_block(walk *w, uint32_t b, uint32_t v) {
  if (w->seen[b] == v) return;
  w->seen[b] = v;
  ph_csr_add(&w->found, w->a, b, v);
  ph_ids_push(&w->todo, w->a, b);
}

static void reach_preds(walk *w, uint32_t b, uint32_t v) {
  uint32_t home = ph_node_of(w->f, v)->block;
  for (uint32_t e = w->preds.first[b]; e < w->preds.first[b + 1]; e++)
    if (w->preds.to[e] != home) reach_block(w, w->preds.to[e], v);
}

static void explore_value(walk *w, uint32_t v) {
  for (uint32_t e = w->uses.first[v]; e < w->uses.first[v + 1]; e++)
    reach_block(w, w->uses.to[e], v);
  while (w->todo.n > 0) reach_preds(w, w->todo.at[--w->todo.n], v);
}

const ph_liveness *ph_liveness_new(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  ph_arena *asking = ph_asking_enter(f);
  ph_liveness *l = ph_arena_alloc(asking, sizeof *l);
  walk w = {0};
  w.f = f;
  w.a = &f->scratch;
  w.preds = single_preds(f, w.a);
  w.uses = uses_elsewhere(&w);
  w.seen = ph_arena_zero(w.a, f->blocks.n * sizeof(uint32_t));
  for (uint32_t v = 1; v < f->nodes.n; v++) explore_value(&w, v);
  l->values = ph_csr_make(asking, f->blocks.n, &w.found);
  ph_asking_leave(f);
  ph_scratch_leave(f, bottom);
  return l;
}

/* }== Answers ======================================================== */

uint32_t ph_liveness_count(const ph_liveness *l, ph_block b) {
  if (b.id >= l->values.n) return 0;
  return l->values.first[b.id + 1] - l->values.first[b.id];
}

ph_value ph_liveness_at(const ph_liveness *l, ph_block b, uint32_t i) {
  assert(i < ph_liveness_count(l, b) && "from 0 to ph_liveness_count - 1");
  return ph_valueid(l->values.to[l->values.first[b.id] + i]);
}

/* }== Ends of blocks ================================================= */

typedef struct {
  ph_func *f;
  ph_idset met;
} ending;

static void meet_live(ending *e, uint32_t v) {
  const ph_node *n = ph_node_of(e->f, v);
  if (n->block == 0 && n->op != PH_PARAM) return;
  if (ph_idset_add(&e->met, &e->f->scratch, v))
    ph_ids_push(&e->f->answers.live_out, &e->f->arena, v);
}

/* Returns which of the edges into its target the edge is, from 0. */
static uint32_t place_of(const ph_func *f, uint32_t edge) {
  uint32_t i = 0;
  PH_EACH_PRED(f, f->edges.at[edge].to, e) {
    if (e == edge) break;
    i++;
  }
  return i;
}

/* Meets the operands of phis along an edge to b. */
static void meet_operands(ending *e, uint32_t b, uint32_t edge) {
  uint32_t i =
      ph_blockrec_of(e->f, b)->first_phi != 0 ? place_of(e->f, edge) : 0;
  PH_EACH_PHI(e->f, b, v) {
    if (ph_body_iswhole(e->f, v)) meet_live(e, ph_body_operand(e->f, v, i));
  }
}

/* Meets what an edge from a block leads to. */
static void meet_edge(ending *e, const ph_liveness *l, uint32_t edge) {
  ph_block to = ph_blockid(e->f->edges.at[edge].to);
  if (ph_body_iscut(e->f, edge)) return;
  for (uint32_t k = 0; k < ph_liveness_count(l, to); k++)
    meet_live(e, ph_liveness_at(l, to, k).id);
  meet_operands(e, to.id, edge);
}

uint32_t ph_liveness_outcount(ph_func *f, const ph_liveness *l, ph_block b) {
  ph_arena_mark bottom = ph_scratch_enter(f);
  const ph_blockrec *block;
  ending e = {.f = f};
  assert(ph_contract_hasblock(f, b) && "a block of this function");
  block = ph_blockrec_of(f, b.id);
  f->answers.live_out.n = 0;
  for (uint32_t i = 0; i < block->nsuccs; i++)
    meet_edge(&e, l, block->first_succ + i);
  ph_vec_sortids(&f->answers.live_out);
  ph_scratch_leave(f, bottom);
  return f->answers.live_out.n;
}

ph_value ph_liveness_outat(const ph_func *f, uint32_t k) {
  assert(k < f->answers.live_out.n && "from 0 to ph_liveness_outcount - 1");
  return ph_valueid(f->answers.live_out.at[k]);
}

/* }=================================================================== */
