/* rpo.c: the blocks in reverse postorder, and where a virtual root enters what
** the entry does not reach.
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
** Analyses of a function that keeps its unreachable blocks treat these as if a
** virtual root led to them, besides the entry; in the order they follow the
** others.  The root must lead to as few as possible: control that could start
** anywhere would spoil all dominance.  So it leads to one block of each
** strongly connected component that no other one leads to: to the block of the
** smallest id, since frontends make the header of a loop before its body.
**
** Inside such a component, if it is a cycle, no path is the first one: there, a
** value can be computed from itself.  The verifier asks for this.
**
** Requires: nothing; blocks may be unfilled or unsealed.  Changes nothing.
*/
#include "core/analysis/rpo.h"

#include <string.h>

/*
** {== Unreachable blocks =============================================
*/

typedef struct {
  const ph_func *f;
  const uint32_t *index;
  ph_arena *a;
  ph_sccs components;
  uint32_t *of;  /* by block: its component */
  bool *entered; /* by component: an edge comes from another one */
} search;

static bool is_unreached(const search *s, uint32_t b) {
  return s->index[b] == PH_UNREACHED && !ph_blockrec_of(s->f, b)->removed;
}

/* The graph of the unreachable blocks; its edges are marked. */
static ph_csr unreached_graph(const search *s, bool *arrives) {
  ph_pairs edges = {{0}, {0}};
  PH_EACH_BLOCK(s->f, b) {
    if (!is_unreached(s, b)) continue;
    PH_EACH_PRED(s->f, b, e) {
      ph_csr_add(&edges, s->a, s->f->edges.at[e].from, b);
      arrives[e] = true;
    }
  }
  return ph_csr_make(s->a, s->f->blocks.n, &edges);
}

/* Chooses the block of the smallest id of each component that is not
** entered. */
static void choose_roots(search *s, ph_unreached *u) {
  uint32_t *root = ph_arena_zero(s->a, s->components.n * sizeof *root);
  PH_EACH_BLOCK(s->f, b) {
    uint32_t i = s->of[b];
    if (!is_unreached(s, b) || s->entered[i]) continue;
    if (root[i] == 0) ph_ids_push(&u->roots, s->a, root[i] = b);
    if (ph_blockrec_of(s->f, b)->npreds > 0) u->cycle[b] = root[i];
  }
}

ph_unreached ph_unreached_find(const ph_func *f, const uint32_t *index,
                               ph_arena *a) {
  search s = {f, index, a, {0}, NULL, NULL};
  ph_unreached u = {{0}, NULL, NULL};
  ph_csr g;
  u.arrives = ph_arena_zero(a, f->edges.n * sizeof *u.arrives);
  g = unreached_graph(&s, u.arrives);
  s.components = ph_scc_compute(&g, a);
  s.of = ph_arena_zero(a, f->blocks.n * sizeof *s.of);
  s.entered = ph_arena_zero(a, s.components.n * sizeof *s.entered);
  u.cycle = ph_arena_zero(a, f->blocks.n * sizeof *u.cycle);
  const ph_sccs *c = &s.components;
  for (uint32_t i = 0; i < c->n; i++)
    for (uint32_t k = c->first[i]; k < c->first[i + 1]; k++) s.of[c->at[k]] = i;
  for (uint32_t b = 1; b < g.n; b++)
    for (uint32_t e = g.first[b]; e < g.first[b + 1]; e++)
      if (s.of[g.to[e]] != s.of[b]) s.entered[s.of[g.to[e]]] = true;
  choose_roots(&s, &u);
  return u;
}

/* }== Reverse postorder ============================================== */

typedef struct {
  const ph_func *f;
  ph_rpo *o;
  uint32_t *stack, *left;
  uint32_t depth;
  uint32_t free; /* number of free positions; rpo is filled from its end */
  const bool *arrives; /* by edge: it counts; NULL: all do */
} walk;

static void enter_block(walk *w, uint32_t b) {
  w->o->index[b] = 0;
  w->left[b] = ph_blockrec_of(w->f, b)->nsuccs;
  w->stack[w->depth++] = b;
}

/* Enters the next successor of b, unless it has been entered. */
static void enter_next(walk *w, uint32_t b) {
  uint32_t edge = ph_blockrec_of(w->f, b)->first_succ + --w->left[b];
  uint32_t succ = w->f->edges.at[edge].to;
  if (w->o->index[succ] != PH_UNREACHED) return;
  if (w->arrives == NULL || w->arrives[edge]) enter_block(w, succ);
}

static void walk_from(walk *w, uint32_t start) {
  enter_block(w, start);
  while (w->depth > 0) {
    uint32_t b = w->stack[w->depth - 1];
    if (w->left[b] == 0)
      w->o->rpo[--w->free] = w->stack[--w->depth];
    else
      enter_next(w, b);
  }
}

/* Moves what was stored at the end of rpo since then to where it belongs. */
static void number_blocks(walk *w) {
  ph_rpo *o = w->o;
  uint32_t *at = o->rpo + o->total, n = o->n - w->free;
  memmove(at, o->rpo + w->free, n * sizeof *at);
  for (uint32_t i = 0; i < n; i++) o->index[at[i]] = o->total + i;
  o->total += n;
  w->free = o->n;
}

static walk walk_from_entry(const ph_func *f, ph_arena *a) {
  size_t bytes = f->blocks.n * sizeof(uint32_t);
  ph_rpo *o = ph_arena_zero(a, sizeof *o);
  walk w = {.f = f, .o = o, .free = f->blocks.n};
  o->n = f->blocks.n;
  o->rpo = ph_arena_alloc(a, bytes);
  o->index = memset(ph_arena_alloc(a, bytes), 0xff, bytes);
  w.stack = ph_arena_alloc(a, bytes);
  w.left = ph_arena_alloc(a, bytes);
  walk_from(&w, ph_block_entry(f).id);
  number_blocks(&w);
  o->count = o->total;
  return w;
}

static ph_rpo *order_of(walk *w, ph_arena *a) {
  ph_arena_drop(a, w->left, w->o->n * sizeof *w->left);
  ph_arena_drop(a, w->stack, w->o->n * sizeof *w->stack);
  return w->o;
}

ph_rpo *ph_rpo_compute(const ph_func *f, ph_arena *a) {
  walk w = walk_from_entry(f, a);
  return order_of(&w, a);
}

ph_rpo *ph_rpo_whole(const ph_func *f, ph_arena *a) {
  walk w = walk_from_entry(f, a);
  if (f->keeps_unreachable) {
    ph_unreached u = ph_unreached_find(f, w.o->index, a);
    w.arrives = u.arrives;
    for (uint32_t i = u.roots.n; i > 0; i--) walk_from(&w, u.roots.at[i - 1]);
    number_blocks(&w);
  }
  return order_of(&w, a);
}

/* Returns a graph whose blocks have as many edges as `first` says, at the index
** that follows; it becomes the index of the first one.  Blocks that are removed
** have none. */
static ph_csr blank_graph(const ph_func *f, uint32_t *first, ph_arena *a) {
  uint32_t n = f->blocks.n;
  first[0] = first[1] = 0;
  for (uint32_t b = 1; b < n; b++)
    first[b + 1] = first[b] + (f->blocks.at[b].removed ? 0 : first[b + 1]);
  return (ph_csr){n, first, ph_arena_alloc(a, (first[n] + 1) * sizeof *first)};
}

ph_csr ph_rpo_graph(const ph_func *f, ph_arena *a) {
  uint32_t *first = ph_arena_alloc(a, (f->blocks.n + 1) * sizeof *first);
  ph_csr g;
  for (uint32_t b = 1; b < f->blocks.n; b++)
    first[b + 1] = ph_blockrec_of(f, b)->nsuccs;
  g = blank_graph(f, first, a);
  for (uint32_t b = 1; b < g.n; b++) {
    const ph_edge *edges = f->edges.at + ph_blockrec_of(f, b)->first_succ;
    for (uint32_t i = first[b + 1]; i > first[b]; i--)
      g.to[i - 1] = (edges++)->to;
  }
  return g;
}

ph_csr ph_rpo_preds(const ph_func *f, ph_arena *a) {
  uint32_t *first = ph_arena_alloc(a, (f->blocks.n + 1) * sizeof *first);
  ph_csr g;
  for (uint32_t b = 1; b < f->blocks.n; b++)
    first[b + 1] = ph_blockrec_of(f, b)->npreds;
  g = blank_graph(f, first, a);
  PH_EACH_BLOCK(f, b) {
    uint32_t i = first[b];
    PH_EACH_PRED(f, b, e) g.to[i++] = f->edges.at[e].from;
  }
  return g;
}

const ph_rpo *ph_rpo_new(ph_func *f) {
  const ph_rpo *o =
      ph_rpo_whole(f, ph_asking_enter(f, &ph_ptr(f)->asking_flow));
  ph_asking_leave(&f->asking_flow);
  return o;
}

uint32_t ph_rpo_count(const ph_rpo *o) { return ph_ptr(o)->count; }

uint32_t ph_rpo_total(const ph_rpo *o) { return ph_ptr(o)->total; }

ph_block ph_rpo_at(const ph_rpo *o, uint32_t i) {
  ph_must(i < ph_ptr(o)->total && "from 0 to ph_rpo_total - 1");
  return ph_blockid(o->rpo[i]);
}

bool ph_rpo_isreached(const ph_rpo *o, ph_block b) {
  return b.id < ph_ptr(o)->n && o->index[b.id] < o->count;
}

uint32_t ph_rpo_index(const ph_rpo *o, ph_block b) {
  ph_must(b.id < ph_ptr(o)->n && o->index[b.id] != PH_UNREACHED &&
          "only blocks in the order have a position");
  return o->index[b.id];
}

/* }=================================================================== */
