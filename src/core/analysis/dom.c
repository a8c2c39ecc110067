/* dom.c: dominators of any graph, be it of blocks or of values.
**
** Lengauer and Tarjan, "A fast algorithm for finding dominators in a flowgraph"
** (1979), with path compression: O(m log n), also for graphs on which shorter
** algorithms are quadratic (docs/internals/analyses.md).  In this file a node
** is its number in a depth-first walk, so `v < w` means that v was met first.
**
** The resulting tree is numbered in preorder, with the sizes of subtrees, so
** that a query takes two comparisons.  Because idom[w] < w, sizes and positions
** come from two plain loops.
**
** Requires: nothing.  Changes nothing.
*/
#include "core/analysis/dom.h"

#include "core/analysis/rpo.h"
#include "core/ir/body.h"

/*
** {== Numbering ======================================================
*/

typedef struct {
  const ph_csr *g;
  uint32_t *number; /* by node; 0: not reachable */
  uint32_t *bucket; /* by number, from 1, like all arrays below: */
  uint32_t *next;   /* lists of the nodes with the same semi */
  uint32_t *node;
  uint32_t count;   /* number of nodes met */
  uint32_t *post;   /* in postorder, the first at 0 */
  uint32_t *parent; /* in the tree of the walk; compressed later */
  uint32_t *semi;   /* semidominator */
  uint32_t *label;  /* node with the least semi on the compressed path */
  uint32_t *idom;   /* of the root: 0 */
  uint32_t *path;   /* stack of least_above */
} work;

static void enter_node(work *w, uint32_t node, uint32_t parent) {
  uint32_t i = ++w->count;
  w->number[node] = i;
  w->node[i] = node;
  w->parent[i] = parent;
  w->semi[i] = w->label[i] = i;
  w->next[i] = w->g->first[node];
}

/* Numbers the nodes that root reaches.  `next` is the next edge of a node,
** `parent` serves as the stack. */
static void number_nodes(work *w, uint32_t root) {
  uint32_t v = 1, left = 0;
  enter_node(w, root, 0);
  while (v != 0) {
    if (w->next[v] == w->g->first[w->node[v] + 1]) {
      w->post[left++] = v;
      v = w->parent[v];
    } else {
      uint32_t to = w->g->to[w->next[v]++];
      if (w->number[to] != 0) continue;
      enter_node(w, to, v);
      v = w->count;
    }
  }
}

/* }== Semidominators ================================================= */

/* Returns the node with the least semi on the tree path down to v, starting at
** its first node that is not less than `last`.  Compresses the path: the parent
** of v, and of all nodes on it, becomes the node before the path. */
static uint32_t least_above(work *w, uint32_t v, uint32_t last) {
  uint32_t depth = 0;
  if (v < last) return v;
  for (; w->parent[v] >= last; v = w->parent[v]) w->path[depth++] = v;
  while (depth > 0) {
    uint32_t above = v;
    v = w->path[--depth];
    if (w->semi[w->label[above]] < w->semi[w->label[v]])
      w->label[v] = w->label[above];
    w->parent[v] = w->parent[above];
  }
  return w->label[v];
}

static void find_semi(work *w, const ph_csr *preds, uint32_t v) {
  uint32_t node = w->node[v];
  for (uint32_t e = preds->first[node]; e < preds->first[node + 1]; e++) {
    uint32_t pred = w->number[preds->to[e]];
    uint32_t s;
    if (pred == 0) continue;
    s = w->semi[least_above(w, pred, v + 1)];
    if (s < w->semi[v]) w->semi[v] = s;
  }
}

/* Sets idom of the nodes whose semidominator is `parent`, or a node that has
** the same idom.  The tree paths from `parent` down to them begin with v. */
static void empty_bucket(work *w, uint32_t parent, uint32_t v) {
  uint32_t i = w->bucket[parent];
  w->bucket[parent] = 0;
  while (i != 0) {
    uint32_t u = least_above(w, i, v);
    w->idom[i] = w->semi[u] < w->semi[i] ? u : parent;
    i = w->next[i];
  }
}

/* A node whose semidominator is its parent, as that of most blocks, needs no
** bucket: no other node is on the tree path. */
static void find_idoms(work *w, const ph_csr *preds) {
  for (uint32_t v = w->count; v > 1; v--) {
    uint32_t parent = w->parent[v];
    find_semi(w, preds, v);
    if (w->semi[v] == parent) {
      w->idom[v] = parent;
    } else {
      w->next[v] = w->bucket[w->semi[v]];
      w->bucket[w->semi[v]] = v;
    }
    empty_bucket(w, parent, v);
  }
  for (uint32_t v = 2; v <= w->count; v++)
    if (w->idom[v] != w->semi[v]) w->idom[v] = w->idom[w->idom[v]];
}

/* }== The tree ======================================================= */

/* Numbers the tree in preorder, siblings as they were met, or, if `reversed`, in
** reverse postorder.  `next`, by number: the first free position in the
** subtree. */
static void lay_out(ph_domtree *d, const work *w, bool reversed) {
  uint32_t *size = w->semi, *next = w->next;
  for (uint32_t v = 1; v <= w->count; v++) size[v] = 1;
  for (uint32_t v = w->count; v > 1; v--) size[w->idom[v]] += size[v];
  next[0] = 0;
  for (uint32_t i = 1; i <= w->count; i++) {
    uint32_t v = reversed ? w->post[w->count - i] : i;
    uint32_t up = w->idom[v], node = w->node[v];
    d->idom[node] = w->node[up];
    d->size[node] = size[v];
    d->at[node] = next[up];
    d->order[next[up]] = node;
    next[v] = next[up] + 1;
    next[up] += size[v];
  }
}

static ph_domtree *blank_tree(ph_arena *a, uint32_t n) {
  ph_domtree *d = ph_arena_alloc(a, sizeof *d);
  d->n = n;
  d->idom = ph_arena_zero(a, 2 * sizeof(uint32_t) * n);
  d->size = d->idom + n;
  d->at = ph_arena_alloc(a, 2 * sizeof(uint32_t) * n);
  d->order = d->at + n;
  return d;
}

enum { ROWS = 8 }; /* arrays of the work that need not be cleared */

static work blank_work(ph_arena *a, const ph_csr *g) {
  uint32_t n = g->n;
  work w = {0};
  w.g = g;
  w.number = ph_arena_zero(a, 2 * sizeof(uint32_t) * n);
  w.bucket = w.number + n;
  w.next = ph_arena_alloc(a, ROWS * sizeof(uint32_t) * n);
  w.node = w.next + n;
  w.post = w.node + n;
  w.parent = w.post + n;
  w.semi = w.parent + n;
  w.label = w.semi + n;
  w.idom = w.label + n;
  w.path = w.idom + n;
  w.node[0] = w.idom[1] = 0;
  return w;
}

/* preds: g with each edge reversed. */
static ph_domtree *compute(const ph_csr *g, const ph_csr *preds, uint32_t root,
                           bool reversed, ph_arena *a) {
  ph_domtree *d = blank_tree(a, g->n);
  work w = blank_work(a, g);
  number_nodes(&w, root);
  find_idoms(&w, preds);
  lay_out(d, &w, reversed);
  ph_arena_drop(a, w.next, ROWS * sizeof(uint32_t) * g->n);
  ph_arena_drop(a, w.number, 2 * sizeof(uint32_t) * g->n);
  return d;
}

ph_domtree *ph_dom_compute(const ph_csr *g, uint32_t root, ph_arena *a) {
  ph_csr preds = ph_csr_turned(a, g);
  ph_domtree *d = compute(g, &preds, root, false, a);
  ph_csr_drop(a, &preds);
  return d;
}

/* }== Blocks ========================================================= */

ph_domtree *ph_dom_blocks(const ph_func *f, ph_arena *a) {
  ph_csr g = ph_rpo_graph(f, a), preds = ph_rpo_preds(f, a);
  ph_domtree *d = compute(&g, &preds, ph_block_entry(f).id, true, a);
  ph_csr_drop(a, &preds);
  ph_csr_drop(a, &g);
  return d;
}

/* Returns the graph in which the virtual root, 0, leads to the entry and to
** unreachable code.  No edge leads back from there to reachable blocks: they
** are dominated as if that code did not exist. */
static ph_csr whole_graph(const ph_func *f, const ph_rpo *o,
                          const ph_unreached *u, ph_arena *a) {
  ph_pairs edges = {{0}, {0}};
  ph_csr_add(&edges, a, 0, ph_block_entry(f).id);
  for (uint32_t i = 0; i < u->roots.n; i++)
    ph_csr_add(&edges, a, 0, u->roots.at[i]);
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PRED(f, b, e) {
      uint32_t from = f->edges.at[e].from;
      if (o->index[from] != PH_UNREACHED || o->index[b] == PH_UNREACHED)
        ph_csr_add(&edges, a, from, b);
    }
  }
  return ph_csr_make(a, f->blocks.n + 1, &edges); /* one node more: 0 */
}

ph_domtree *ph_dom_whole(const ph_func *f, ph_arena *a, ph_unreached *u) {
  const ph_rpo *o = ph_rpo_compute(f, a);
  ph_csr g;
  *u = ph_unreached_find(f, o->index, a);
  g = whole_graph(f, o, u, a);
  return ph_dom_compute(&g, 0, a);
}

/* For the host. */
static const ph_domtree *kept_blocks(const ph_func *f, ph_arena *a) {
  ph_unreached u;
  return f->keeps_unreachable ? ph_dom_whole(f, a, &u) : ph_dom_blocks(f, a);
}

const ph_domtree *ph_dom_new(ph_func *f) {
  const ph_domtree *d =
      kept_blocks(f, ph_asking_enter(f, &ph_ptr(f)->asking_flow));
  ph_asking_leave(&f->asking_flow);
  return d;
}

ph_block ph_dom_idom(const ph_domtree *d, ph_block b) {
  return ph_blockid(b.id < ph_ptr(d)->n ? d->idom[b.id] : 0);
}

bool ph_dom_covers(const ph_domtree *d, uint32_t a, uint32_t b) {
  if (b >= d->n || d->size[b] == 0) return true;
  if (a >= d->n || d->size[a] == 0) return false;
  return d->at[b] - d->at[a] < d->size[a];
}

bool ph_dom_defines(const ph_domtree *d, const ph_unreached *u, uint32_t home,
                    uint32_t b) {
  uint32_t root;
  if (home == 0 || home == b || ph_dom_covers(d, home, b)) return true;
  if (u->cycle == NULL || ph_dom_covers(d, 1, b)) return false;
  root = u->cycle[home];
  return ph_dom_covers(d, 1, home) || u->cycle[b] != 0 ||
         (root != 0 && ph_dom_covers(d, root, b));
}

bool ph_dom_dominates(const ph_domtree *d, ph_block a, ph_block b) {
  return ph_dom_covers(ph_ptr(d), a.id, b.id);
}

/* True if the retreating edges into b come from blocks that it dominates.
** Edges from unreachable blocks into reachable ones do not count. */
static bool is_reducible(const ph_func *f, const ph_rpo *o, const ph_domtree *d,
                         uint32_t b) {
  PH_EACH_PRED(f, b, e) {
    uint32_t from = f->edges.at[e].from;
    bool counts = o->index[from] < o->count ||
                  (o->index[from] < o->total && o->index[b] >= o->count);
    bool retreats = o->index[b] <= o->index[from];
    if (counts && retreats && !ph_dom_covers(d, b, from)) return false;
  }
  return true;
}

bool ph_dom_isreducible(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  const ph_rpo *o = ph_rpo_whole(f, &f->scratch);
  const ph_domtree *d = kept_blocks(f, &f->scratch);
  bool yes = true;
  for (uint32_t i = 0; i < o->total && yes; i++)
    yes = is_reducible(f, o, d, o->rpo[i]);
  ph_scratch_leave(f, bottom);
  return yes;
}

/* }=================================================================== */
