/* loops.c: the loops of a function, and how they nest.
**
** A loop is a strongly connected subgraph.  Its header is the block that a
** depth-first walk meets first; what remains strongly connected without the
** header are the inner loops.  A loop that can be entered at its header only is
** a natural loop.  One with other entries is reported as irreducible, and which
** entry is its header then depends on the walk.  The walk is that of rpo.c, so
** a header precedes the other blocks of its loop in reverse postorder.
**
** Havlak, "Nesting of reducible and irreducible loops" (1997), in the
** near-linear form of Ramalingam, "Identifying loops in almost linear time"
** (1999); docs/internals/analyses.md explains it.
**
** Requires: nothing.  Changes nothing.
*/
#include "core/analysis/loops.h"

#include <string.h>

#include "core/analysis/rpo.h"
#include "core/ir/body.h"

typedef struct {
  uint32_t header;
  uint32_t parent;      /* the loop around it, or 0 */
  uint32_t depth;       /* 1 for an outermost loop */
  uint32_t first, size; /* range of its blocks in `blocks` */
  bool reducible;
} looprec;

struct ph_loops {
  uint32_t n;       /* loops are 1 .. n-1, outer ones before inner ones */
  uint32_t nblocks; /* length of `of` and `place` */
  uint32_t *of;     /* by block: the innermost loop that contains it, or 0 */
  uint32_t *place;  /* by block: its index in `blocks`, if it is in a loop */
  uint32_t *blocks; /* the blocks of each loop, contiguous */
  looprec *at;      /* by loop */
};

/* Here, and up to the section on layout, a block is its number in the walk. */
typedef struct {
  const ph_func *f;
  ph_arena *a;
  uint32_t *number;    /* by block; 0: not met */
  uint32_t *block;     /* by number, from 1, like the arrays below */
  uint32_t count;      /* number of blocks met */
  uint32_t reached;    /* number of those that the entry reaches */
  const bool *arrives; /* by edge: it counts; NULL: all do */
  uint32_t *parent;    /* in the tree of the walk */
  uint32_t *last;      /* greatest number in its subtree */
  uint32_t *left;      /* number of edges not yet walked; later: its loop */
  uint32_t *postorder; /* numbers in postorder, from 1; not by number */
  uint32_t done;       /* number of entries of `postorder` */
  uint32_t *above;     /* union-find: itself until taken, then its parent */
  uint32_t *rep;   /* union-find: the header it was merged with, or itself */
  uint32_t *outer; /* header of the next loop around it, or 0 */
  bool *is_header;
  uint32_t *body;    /* worklist: the loop being searched */
  uint32_t *mark;    /* header of the last search that met it */
  uint32_t *waiting; /* list in `edges`: those to add when it is taken */
  uint32_t *more;    /* list in `edges`: those into it that were added */
  ph_edges edges;    /* elements of these lists, from 1 */
} walk;

/*
** {== Walking ========================================================
*/

static void enter_block(walk *w, uint32_t b, uint32_t parent) {
  uint32_t i = ++w->count;
  w->number[b] = i;
  w->block[i] = b;
  w->parent[i] = parent;
  w->left[i] = ph_blockrec_of(w->f, b)->nsuccs;
  w->above[i] = w->rep[i] = i;
}

static void walk_from(walk *w, uint32_t start) {
  uint32_t v = w->count + 1;
  enter_block(w, start, 0);
  while (v != 0) {
    if (w->left[v] == 0) {
      w->last[v] = w->count;
      w->postorder[++w->done] = v;
      v = w->parent[v];
    } else {
      const ph_blockrec *block = ph_blockrec_of(w->f, w->block[v]);
      uint32_t edge = block->first_succ + --w->left[v];
      uint32_t to = w->f->edges.at[edge].to;
      if (w->number[to] != 0) continue;
      if (w->arrives != NULL && !w->arrives[edge]) continue;
      enter_block(w, to, v);
      v = w->count;
    }
  }
}

/* Moves what the entry does not reach to the front of the postorder, so that
** reachable loops have the numbers that they have without it. */
static void move_unreached(walk *w) {
  size_t size = sizeof *w->postorder;
  uint32_t n = w->done - w->reached, *first = w->postorder + 1;
  uint32_t *reached = ph_arena_alloc(w->a, w->reached * size);
  memcpy(reached, first, w->reached * size);
  memmove(first, first + w->reached, n * size);
  memcpy(first + n, reached, w->reached * size);
}

/* Unreachable blocks of a function that keeps them make further trees. */
static void walk_all(walk *w) {
  ph_unreached u;
  walk_from(w, ph_block_entry(w->f).id);
  w->reached = w->count;
  if (!w->f->keeps_unreachable) return;
  u = ph_unreached_find(w->f, ph_rpo_compute(w->f, w->a)->index, w->a);
  w->arrives = u.arrives;
  for (uint32_t i = u.roots.n; i > 0; i--) walk_from(w, u.roots.at[i - 1]);
  move_unreached(w);
}

/* }== Edges ========================================================== */

/* Returns the number of the block that e comes from; 0: e does not count, since
** it leads back from unreachable code, or from a block that was not met. */
static uint32_t source_of(const walk *w, uint32_t e) {
  const ph_edge *edge = &w->f->edges.at[e];
  uint32_t from = w->number[edge->from];
  bool leaves = from > w->reached && w->number[edge->to] <= w->reached;
  return leaves ? 0 : from;
}

/* Returns the root of v, halving the path. */
static uint32_t find_root(uint32_t *up, uint32_t v) {
  while (up[v] != v) {
    up[v] = up[up[v]];
    v = up[v];
  }
  return v;
}

static bool leads_back(const walk *w, uint32_t from, uint32_t to) {
  return to <= from && from <= w->last[to];
}

static void chain_edge(walk *w, uint32_t *list, uint32_t from, uint32_t to) {
  const ph_edge e = {from, to, *list};
  ph_edges_push(&w->edges, w->a, e);
  *list = w->edges.n - 1;
}

/* Lets the edges into v, except tree and back edges, wait for the block where
** the branches of `from` and v part.  All blocks after v have been taken, so
** that is the first one from `from` upwards that has not. */
static void let_wait(walk *w, uint32_t v) {
  PH_EACH_PRED(w->f, w->block[v], e) {
    uint32_t from = source_of(w, e);
    if (from == 0 || from == w->parent[v] || leads_back(w, from, v)) continue;
    chain_edge(w, &w->waiting[find_root(w->above, from)], from, v);
  }
}

/* Adds the edges that have waited for v. */
static void admit_waiting(walk *w, uint32_t v) {
  for (uint32_t e = w->waiting[v]; e != 0;) {
    ph_edge edge = w->edges.at[e];
    uint32_t to = find_root(w->rep, edge.to);
    chain_edge(w, &w->more[to], edge.from, to);
    e = edge.next;
  }
}

/* }== Searching ====================================================== */

static uint32_t meet_block(walk *w, uint32_t header, uint32_t v, uint32_t n) {
  v = find_root(w->rep, v);
  if (v == header || w->mark[v] == header) return n;
  w->mark[v] = header;
  w->body[n] = v;
  return n + 1;
}

static uint32_t start_search(walk *w, uint32_t header) {
  uint32_t n = 0;
  PH_EACH_PRED(w->f, w->block[header], e) {
    uint32_t from = source_of(w, e);
    if (from == 0 || !leads_back(w, from, header)) continue;
    w->is_header[header] = true;
    n = meet_block(w, header, from, n);
  }
  return n;
}

static void search_loop(walk *w, uint32_t header) {
  uint32_t n = start_search(w, header);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t v = w->body[i];
    n = meet_block(w, header, w->parent[v], n);
    for (uint32_t e = w->more[v]; e != 0; e = w->edges.at[e].next)
      n = meet_block(w, header, w->edges.at[e].from, n);
  }
  for (uint32_t i = 0; i < n; i++)
    w->outer[w->body[i]] = w->rep[w->body[i]] = header;
}

static void find_loops(walk *w) {
  const ph_edge none = {0};
  ph_edges_push(&w->edges, w->a, none);
  for (uint32_t v = w->count; v > 0; v--) {
    admit_waiting(w, v);
    search_loop(w, v);
    let_wait(w, v);
    w->above[v] = w->parent[v];
  }
}

/* }== Layout ========================================================= */

/* Numbers the loops: `left` of a header becomes its loop, of any other block
** 0. */
static uint32_t number_loops(walk *w) {
  uint32_t n = 1;
  for (uint32_t i = w->done; i > 0; i--) {
    uint32_t v = w->postorder[i];
    w->left[v] = w->is_header[v] ? n++ : 0;
  }
  return n;
}

static void fill_loops(const walk *w, ph_loops *l) {
  for (uint32_t i = w->done; i > 0; i--) {
    uint32_t v = w->postorder[i], own = w->left[v];
    uint32_t outer = w->outer[v] != 0 ? w->left[w->outer[v]] : 0;
    l->of[w->block[v]] = own != 0 ? own : outer;
    if (own == 0) continue;
    l->at[own].header = w->block[v];
    l->at[own].parent = outer;
    l->at[own].depth = l->at[outer].depth + 1;
    l->at[own].reducible = true;
  }
  for (uint32_t i = 1; i <= w->count; i++) l->at[l->of[w->block[i]]].size++;
  for (uint32_t i = l->n - 1; i > 0; i--)
    l->at[l->at[i].parent].size += l->at[i].size;
}

/* Stores the blocks of each loop contiguously, within those of the loop around
** it.  In reverse postorder a header precedes its loop, so it can reserve room
** for all of it.  `next`, by loop: the first free index. */
static void lay_out(const walk *w, ph_loops *l, uint32_t *next) {
  for (uint32_t i = w->done; i > 0; i--) {
    uint32_t b = w->block[w->postorder[i]], loop = l->of[b];
    looprec *rec = &l->at[loop];
    if (loop == 0) continue;
    if (rec->header == b) {
      rec->first = next[loop] = next[rec->parent];
      next[rec->parent] += rec->size;
    }
    l->place[b] = next[loop]++;
    l->blocks[l->place[b]] = b;
  }
}

/* }== Entries ======================================================== */

/* Marks the loops as irreducible that the edge into b enters at a block other
** than their header.  `up`, by loop: leads to the next loop, itself or around
** it, that is still reducible. */
static void note_entry(ph_loops *l, uint32_t *up, uint32_t from, uint32_t b) {
  uint32_t loop = l->of[b];
  if (l->at[loop].header == b) loop = l->at[loop].parent;
  loop = find_root(up, loop);
  while (loop != 0 && !ph_loops_contains(l, loop, ph_blockid(from))) {
    l->at[loop].reducible = false;
    up[loop] = l->at[loop].parent;
    loop = find_root(up, loop);
  }
}

static void note_entries(const walk *w, ph_loops *l, uint32_t *up) {
  for (uint32_t i = 0; i < l->n; i++) up[i] = i;
  for (uint32_t i = 1; i <= w->count; i++) {
    PH_EACH_PRED(w->f, w->block[i], e) {
      uint32_t from = source_of(w, e);
      if (from != 0) note_entry(l, up, w->block[from], w->block[i]);
    }
  }
}

/* }== Together ======================================================= */

static uint32_t *take_array(uint32_t **at, uint32_t n) {
  uint32_t *array = *at;
  *at += n;
  return array;
}

static void set_up_walk(walk *w) {
  enum { ARRAYS = 13 };
  uint32_t n = w->f->blocks.n;
  uint32_t *at = ph_arena_zero(w->a, sizeof(uint32_t) * ARRAYS * n);
  uint32_t **const arrays[ARRAYS] = {
      &w->number,    &w->block,   &w->parent, &w->last,  &w->left,
      &w->postorder, &w->above,   &w->rep,    &w->outer, &w->body,
      &w->mark,      &w->waiting, &w->more};
  for (int i = 0; i < ARRAYS; i++) *arrays[i] = take_array(&at, n);
  w->is_header = ph_arena_zero(w->a, n * sizeof(bool));
}

static ph_loops *blank_loops(ph_arena *a, uint32_t nblocks, uint32_t n) {
  ph_loops *l = ph_arena_alloc(a, sizeof *l);
  l->n = n;
  l->nblocks = nblocks;
  l->of = ph_arena_zero(a, sizeof(uint32_t) * 3 * nblocks);
  l->place = l->of + nblocks;
  l->blocks = l->place + nblocks;
  l->at = ph_arena_zero(a, n * sizeof *l->at);
  return l;
}

ph_loops *ph_loops_compute(const ph_func *f, ph_arena *a, ph_arena *scratch) {
  walk w = {.f = f, .a = scratch};
  ph_loops *l;
  uint32_t n;
  set_up_walk(&w);
  walk_all(&w);
  find_loops(&w);
  n = number_loops(&w);
  l = blank_loops(a, f->blocks.n, n);
  fill_loops(&w, l);
  lay_out(&w, l, ph_arena_zero(scratch, n * sizeof(uint32_t)));
  note_entries(&w, l, ph_arena_alloc(scratch, n * sizeof(uint32_t)));
  return l;
}

const ph_loops *ph_loops_new(ph_func *f) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  ph_loops *l =
      ph_loops_compute(f, ph_asking_enter(f, &f->asking_flow), &f->scratch);
  ph_asking_leave(&f->asking_flow);
  ph_scratch_leave(f, bottom);
  return l;
}

/* }== Answers ======================================================== */

uint32_t ph_loops_count(const ph_loops *l) { return ph_ptr(l)->n - 1; }

static const looprec *at(const ph_loops *l, uint32_t loop) {
  ph_must(0 < loop && loop < l->n && "from 1 to ph_loops_count");
  return &l->at[loop];
}

ph_block ph_loops_header(const ph_loops *l, uint32_t loop) {
  return ph_blockid(at(ph_ptr(l), loop)->header);
}

uint32_t ph_loops_parent(const ph_loops *l, uint32_t loop) {
  return at(ph_ptr(l), loop)->parent;
}

uint32_t ph_loops_depth(const ph_loops *l, uint32_t loop) {
  return loop == 0 ? 0 : at(ph_ptr(l), loop)->depth;
}

bool ph_loops_isreducible(const ph_loops *l, uint32_t loop) {
  return at(ph_ptr(l), loop)->reducible;
}

uint32_t ph_loops_size(const ph_loops *l, uint32_t loop) {
  return at(ph_ptr(l), loop)->size;
}

uint32_t ph_loops_first(const ph_loops *l, uint32_t loop) {
  return at(ph_ptr(l), loop)->first;
}

ph_block ph_loops_block(const ph_loops *l, uint32_t loop, uint32_t i) {
  ph_must(i < at(ph_ptr(l), loop)->size && "from 0 to ph_loops_size - 1");
  return ph_blockid(l->blocks[at(l, loop)->first + i]);
}

uint32_t ph_loops_of(const ph_loops *l, ph_block b) {
  return b.id < ph_ptr(l)->nblocks ? l->of[b.id] : 0;
}

bool ph_loops_contains(const ph_loops *l, uint32_t loop, ph_block b) {
  if (ph_loops_of(ph_ptr(l), b) == 0) return false;
  return l->place[b.id] - at(l, loop)->first < at(l, loop)->size;
}

/* }=================================================================== */
