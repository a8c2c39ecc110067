/* rpo.c: the reachable blocks, in reverse postorder.
**
** A depth-first walk numbers a block after all blocks that it leads to.
** Reversed, that order has each block before its successors, except along the
** retreating edges of loops.  The walk takes successors from last to first, so
** the first of two branches comes first, and the body of a loop precedes what
** follows the loop, as in source text.
**
** The walk has an explicit stack, since functions can be a million blocks deep:
** a frame is a block and, in `left`, the number of its successors that have not
** been examined.
**
** Requires: nothing; blocks may be unfilled or unsealed.  Changes nothing.
*/
#include "core/analysis/rpo.h"

#include <assert.h>
#include <string.h>

typedef struct {
  const ph_func *f;
  ph_rpo *o;
  uint32_t *stack, *left;
  uint32_t depth;
  uint32_t free; /* number of free positions; rpo is filled from its end */
} walk;

static void enter(walk *w, uint32_t b) {
  w->o->index[b] = 0;
  w->left[b] = ph_blockrec_of(w->f, b)->nsuccs;
  w->stack[w->depth++] = b;
}

static void leave(walk *w) { w->o->rpo[--w->free] = w->stack[--w->depth]; }

static uint32_t next_succ(walk *w, uint32_t b) {
  uint32_t edge = ph_blockrec_of(w->f, b)->first_succ + --w->left[b];
  return w->f->edges.at[edge].to;
}

static void walk_from(walk *w, uint32_t entry) {
  enter(w, entry);
  while (w->depth > 0) {
    uint32_t b = w->stack[w->depth - 1];
    if (w->left[b] == 0) {
      leave(w);
    } else {
      uint32_t succ = next_succ(w, b);
      if (w->o->index[succ] == PH_UNREACHED) enter(w, succ);
    }
  }
}

static void number(ph_rpo *o, uint32_t unused) {
  o->rpo += unused;
  o->count = o->n - unused;
  for (uint32_t i = 0; i < o->count; i++) o->index[o->rpo[i]] = i;
}

ph_rpo *ph_rpo_compute(const ph_func *f, ph_arena *a) {
  size_t bytes = f->blocks.n * sizeof(uint32_t);
  ph_rpo *o = ph_arena_alloc(a, sizeof *o);
  walk w = {f, o, NULL, NULL, 0, f->blocks.n};
  o->n = f->blocks.n;
  o->rpo = ph_arena_alloc(a, bytes);
  o->index = memset(ph_arena_alloc(a, bytes), 0xff, bytes);
  w.stack = ph_arena_alloc(a, bytes);
  w.left = ph_arena_alloc(a, bytes);
  walk_from(&w, ph_block_entry(f).id);
  ph_arena_drop(a, w.left, bytes);
  ph_arena_drop(a, w.stack, bytes);
  number(o, w.free);
  return o;
}

ph_csr ph_rpo_graph(const ph_func *f, ph_arena *a) {
  ph_pairs edges = {0};
  ph_csr g;
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PRED(f, b, e) ph_csr_add(&edges, a, f->edges.at[e].from, b);
  }
  g = ph_csr_make(a, f->blocks.n, &edges);
  ph_csr_forget(a, &edges);
  return g;
}

const ph_rpo *ph_rpo_new(ph_func *f) {
  const ph_rpo *o = ph_rpo_compute(f, ph_asking_enter(f));
  ph_asking_leave(f);
  return o;
}

uint32_t ph_rpo_count(const ph_rpo *o) { return o->count; }

ph_block ph_rpo_at(const ph_rpo *o, uint32_t i) {
  assert(i < o->count && "from 0 to ph_rpo_count - 1");
  return ph_blockid(o->rpo[i]);
}

bool ph_rpo_reached(const ph_rpo *o, ph_block b) {
  return b.id < o->n && o->index[b.id] != PH_UNREACHED;
}

uint32_t ph_rpo_index(const ph_rpo *o, ph_block b) {
  assert(ph_rpo_reached(o, b) && "only reached blocks have a position");
  return o->index[b.id];
}
