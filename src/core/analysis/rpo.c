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
** The unreachable blocks of a function that keeps them follow the others, in the
** order in which a virtual root leads to them (unreached.c).
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
  const bool *arrives; /* by edge: it counts; NULL: all do */
} walk;

static void enter(walk *w, uint32_t b) {
  w->o->index[b] = 0;
  w->left[b] = ph_blockrec_of(w->f, b)->nsuccs;
  w->stack[w->depth++] = b;
}

static void leave(walk *w) { w->o->rpo[--w->free] = w->stack[--w->depth]; }

/* Enters the next successor of b, unless it has been entered. */
static void go_on(walk *w, uint32_t b) {
  uint32_t edge = ph_blockrec_of(w->f, b)->first_succ + --w->left[b];
  uint32_t succ = w->f->edges.at[edge].to;
  if (w->o->index[succ] != PH_UNREACHED) return;
  if (w->arrives == NULL || w->arrives[edge]) enter(w, succ);
}

static void walk_from(walk *w, uint32_t start) {
  enter(w, start);
  while (w->depth > 0) {
    uint32_t b = w->stack[w->depth - 1];
    if (w->left[b] == 0)
      leave(w);
    else
      go_on(w, b);
  }
}

/* Moves what was stored at the end of rpo since then to where it belongs. */
static void number(walk *w) {
  ph_rpo *o = w->o;
  uint32_t *at = o->rpo + o->total, n = o->n - w->free;
  memmove(at, o->rpo + w->free, n * sizeof *at);
  for (uint32_t i = 0; i < n; i++) o->index[at[i]] = o->total + i;
  o->total += n;
  w->free = o->n;
}

static walk start(const ph_func *f, ph_arena *a) {
  size_t bytes = f->blocks.n * sizeof(uint32_t);
  ph_rpo *o = ph_arena_zero(a, sizeof *o);
  walk w = {.f = f, .o = o, .free = f->blocks.n};
  o->n = f->blocks.n;
  o->rpo = ph_arena_alloc(a, bytes);
  o->index = memset(ph_arena_alloc(a, bytes), 0xff, bytes);
  w.stack = ph_arena_alloc(a, bytes);
  w.left = ph_arena_alloc(a, bytes);
  walk_from(&w, ph_block_entry(f).id);
  number(&w);
  o->count = o->total;
  return w;
}

static ph_rpo *finish(walk *w, ph_arena *a) {
  ph_arena_drop(a, w->left, w->o->n * sizeof *w->left);
  ph_arena_drop(a, w->stack, w->o->n * sizeof *w->stack);
  return w->o;
}

ph_rpo *ph_rpo_compute(const ph_func *f, ph_arena *a) {
  walk w = start(f, a);
  return finish(&w, a);
}

ph_rpo *ph_rpo_whole(const ph_func *f, ph_arena *a) {
  walk w = start(f, a);
  if (f->keeps_unreachable) {
    ph_unreached u = ph_unreached_find(f, w.o->index, a);
    w.arrives = u.arrives;
    for (uint32_t i = u.roots.n; i > 0; i--) walk_from(&w, u.roots.at[i - 1]);
    number(&w);
  }
  return finish(&w, a);
}

const ph_rpo *ph_rpo_counting(const ph_func *f, ph_arena *a) {
  return f->keeps_unreachable ? ph_rpo_compute(f, a) : NULL;
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
  const ph_rpo *o = ph_rpo_whole(f, ph_asking_enter(f));
  ph_asking_leave(f);
  return o;
}

uint32_t ph_rpo_count(const ph_rpo *o) { return o->count; }

uint32_t ph_rpo_total(const ph_rpo *o) { return o->total; }

ph_block ph_rpo_at(const ph_rpo *o, uint32_t i) {
  assert(i < o->total && "from 0 to ph_rpo_total - 1");
  return ph_blockid(o->rpo[i]);
}

bool ph_rpo_reached(const ph_rpo *o, ph_block b) {
  return b.id < o->n && o->index[b.id] < o->count;
}

uint32_t ph_rpo_index(const ph_rpo *o, ph_block b) {
  assert(b.id < o->n && o->index[b.id] != PH_UNREACHED &&
         "only blocks in the order have a position");
  return o->index[b.id];
}
