/* liveness.c: the values that are live at the start, or end, of a block.
**
** Values are treated one by one: from each block that uses the value, a walk
** goes up through predecessors to the block that defines it, and the value is
** live at the start of each block on these paths, and at the end of their
** predecessors (path exploration: Boissinot, Hack, Grund, Dupont de Dinechin and
** Rastello, "Fast liveness checking for SSA-form programs", 2008).  One mark per
** block and end, the last value seen there, ends a walk where an earlier one of
** the same value has been.  Time and memory are linear in the size of function
** and answer (docs/internals/analyses.md).
**
** An operand of a phi is used at the end of its predecessor.  A phi defines its
** value at the start of its block, so that it is not live-in there by itself.
** Where other values are defined: places.h; but parameters are defined before
** the start of the entry.  Constants and undef have no place.
**
** Requires: nothing; a phi that waits for its operands uses none yet.  Changes
** nothing.
*/
#include "core/analysis/liveness.h"

#include "core/analysis/places.h"
#include "core/ir/contract.h"

typedef struct {
  const ph_func *f;
  ph_arena *a;
  ph_csr preds;     /* by block: its predecessors, without duplicates */
  ph_csr uses;      /* by value: blocks that use it, other than its own */
  ph_csr phi_uses;  /* by value: blocks whose edges give it to phis */
  uint32_t *home;   /* by value: block of its definition; 0: it has none */
  ph_pairs in, out; /* pairs of a block and a value live at its start or end */
  uint32_t *seen_in, *seen_out; /* by block: the last value found live there */
  ph_ids todo; /* worklist: blocks whose predecessors are next */
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

static void add_phi_uses(const walk *w, ph_pairs *uses, uint32_t b,
                         uint32_t phi) {
  uint32_t i = 0;
  if (!ph_body_iswhole(w->f, phi)) return;
  PH_EACH_PRED(w->f, b, e) {
    uint32_t v = ph_body_operand(w->f, phi, i++);
    if (w->home[v] != 0) ph_csr_add(uses, w->a, v, w->f->edges.at[e].from);
  }
}

static void add_uses(const walk *w, ph_pairs *uses, uint32_t b, uint32_t user) {
  if (ph_places_isresult(w->f, user)) return;
  for (uint32_t i = 0; i < ph_node_of(w->f, user)->nargs; i++) {
    uint32_t v = ph_body_operand(w->f, user, i);
    if (w->home[v] != 0 && w->home[v] != b) ph_csr_add(uses, w->a, v, b);
  }
}

static void find_uses(walk *w) {
  const ph_func *f = w->f;
  ph_pairs uses = {0}, phi_uses = {0};
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PHI(f, b, v) add_phi_uses(w, &phi_uses, b, v);
    PH_EACH_INST(f, b, v) add_uses(w, &uses, b, v);
  }
  w->uses = ph_csr_make(w->a, f->nodes.n, &uses);
  w->phi_uses = ph_csr_make(w->a, f->nodes.n, &phi_uses);
}

/* }== Walks ========================================================== */

static void reach_start(walk *w, uint32_t b, uint32_t v) {
  if (w->seen_in[b] == v || w->home[v] == b) return;
  w->seen_in[b] = v;
  ph_csr_add(&w->in, w->a, b, v);
  ph_ids_push(&w->todo, w->a, b);
}

static void reach_end(walk *w, uint32_t b, uint32_t v) {
  if (w->seen_out[b] == v) return;
  w->seen_out[b] = v;
  ph_csr_add(&w->out, w->a, b, v);
  reach_start(w, b, v);
}

static void explore_value(walk *w, uint32_t v) {
  for (uint32_t i = w->uses.first[v]; i < w->uses.first[v + 1]; i++)
    reach_start(w, w->uses.to[i], v);
  for (uint32_t i = w->phi_uses.first[v]; i < w->phi_uses.first[v + 1]; i++)
    reach_end(w, w->phi_uses.to[i], v);
  while (w->todo.n > 0) {
    uint32_t b = w->todo.at[--w->todo.n];
    for (uint32_t e = w->preds.first[b]; e < w->preds.first[b + 1]; e++)
      reach_end(w, w->preds.to[e], v);
  }
}

const ph_liveness *ph_liveness_new(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  ph_arena *asking = ph_asking_enter(f, &f->asking_code);
  ph_liveness *l = ph_arena_alloc(asking, sizeof *l);
  walk w = {0};
  w.f = f;
  w.a = &f->scratch;
  w.preds = single_preds(f, w.a);
  /* No block is the home of parameters. */
  w.home = ph_places_find(f, w.a).home;
  for (uint32_t i = 0; i < f->params.n; i++)
    w.home[f->params.at[i]] = f->blocks.n;
  find_uses(&w);
  w.seen_in = ph_arena_zero(w.a, 2 * (size_t)f->blocks.n * sizeof(uint32_t));
  w.seen_out = w.seen_in + f->blocks.n;
  for (uint32_t v = 1; v < f->nodes.n; v++) explore_value(&w, v);
  l->in = ph_csr_make(asking, f->blocks.n, &w.in);
  l->out = ph_csr_make(asking, f->blocks.n, &w.out);
  ph_asking_leave(&f->asking_code);
  ph_scratch_leave(f, bottom);
  return l;
}

/* }== Answers ======================================================== */

static uint32_t count_values(const ph_csr *at, ph_block b) {
  return b.id < at->n ? at->first[b.id + 1] - at->first[b.id] : 0;
}

uint32_t ph_liveness_count(const ph_liveness *l, ph_block b) {
  return count_values(&ph_ptr(l)->in, b);
}

ph_value ph_liveness_at(const ph_liveness *l, ph_block b, uint32_t i) {
  ph_must(i < ph_liveness_count(ph_ptr(l), b) &&
          "from 0 to ph_liveness_count - 1");
  return ph_valueid(l->in.to[l->in.first[b.id] + i]);
}

uint32_t ph_liveness_outcount(const ph_liveness *l, ph_block b) {
  return count_values(&ph_ptr(l)->out, b);
}

ph_value ph_liveness_outat(const ph_liveness *l, ph_block b, uint32_t i) {
  ph_must(i < ph_liveness_outcount(ph_ptr(l), b) &&
          "from 0 to ph_liveness_outcount - 1");
  return ph_valueid(l->out.to[l->out.first[b.id] + i]);
}

/* }=================================================================== */
