/* livepoints.c: the values that are live right after an instruction.
**
** In a block, the range of a value goes from the place where it is defined, or
** the start of the block, to its last use there, or the end.  A value is live
** after place p if its range begins at p or before and ends later.  The ranges
** of each block are in the order of their starts; so those that begin in time
** are a prefix.  Those of them that end later are found by a tree, whose leaves
** are the ends, and whose inner nodes are the greatest ends below them: in
** O(log n) each, whichever point is asked about, in any order.  All ranges
** together are as many as the values and those live at the start of blocks.
**
** Requires: nothing.  Changes only f->answers.
*/

#include "core/analysis/liveness.h"
#include "core/analysis/places.h"
#include "core/ir/contract.h"

struct ph_livepoints {
  uint32_t nvalues;
  ph_places places;
  ph_csr ranges;    /* by block: the values whose ranges are in it, by start */
  uint32_t nleaves; /* a power of two, greater than the number of ranges */
  uint32_t *ends;   /* the tree: 1 is its root, 2i and 2i + 1 are below i */
};

/* A place after all others: of the end of a block. */
#define PLACE_END UINT32_MAX

/*
** {== Ranges =========================================================
*/

typedef struct {
  const ph_func *f;
  ph_arena *a;
  const ph_liveness *l;
  ph_livepoints *p;
  ph_csr results; /* by value: its further results */
  uint32_t *last; /* by value: place of its last use in the block, or 0 */
  ph_pairs found; /* pairs of a block and a value */
  ph_ids ends;    /* of these */
} work;

static ph_csr find_results(const ph_func *f, ph_arena *a) {
  ph_pairs results = {0};
  PH_EACH_BLOCK(f, b) {
    PH_EACH_INST(f, b, v) {
      if (ph_places_isresult(f, v))
        ph_csr_add(&results, a, ph_body_operand(f, v, 0), v);
    }
  }
  return ph_csr_make(a, f->nodes.n, &results);
}

static void find_last_uses(work *w, uint32_t b) {
  uint32_t at = 0;
  PH_EACH_INST(w->f, b, v) {
    at++;
    if (ph_places_isresult(w->f, v)) continue;
    for (uint32_t i = 0; i < ph_node_of(w->f, v)->nargs; i++)
      w->last[ph_body_operand(w->f, v, i)] = at;
  }
  for (uint32_t i = w->l->out.first[b]; i < w->l->out.first[b + 1]; i++)
    w->last[w->l->out.to[i]] = PLACE_END;
}

/* Adds the range of v, which starts at a place of b, unless it is empty. */
static void add_range(work *w, uint32_t b, uint32_t v, uint32_t start) {
  if (w->last[v] > start) {
    ph_csr_add(&w->found, w->a, b, v);
    ph_ids_push(&w->ends, w->a, w->last[v]);
  }
  w->last[v] = 0;
}

static void add_ranges(work *w, uint32_t b) {
  const ph_func *f = w->f;
  find_last_uses(w, b);
  for (uint32_t i = w->l->in.first[b]; i < w->l->in.first[b + 1]; i++)
    add_range(w, b, w->l->in.to[i], 0);
  PH_EACH_PHI(f, b, v) add_range(w, b, v, 0);
  PH_EACH_INST(f, b, v) {
    if (!ph_places_isresult(f, v)) {
      uint32_t at = w->p->places.at[v];
      add_range(w, b, v, at);
      for (uint32_t i = w->results.first[v]; i < w->results.first[v + 1]; i++)
        add_range(w, b, w->results.to[i], at);
    }
  }
}

/* }== The tree ======================================================= */

static void grow_tree(ph_livepoints *p, ph_arena *a, const ph_ids *ends) {
  p->nleaves = 1;
  while (p->nleaves <= ends->n) p->nleaves *= 2;
  p->ends = ph_arena_zero(a, 2 * (size_t)p->nleaves * sizeof(uint32_t));
  for (uint32_t i = 0; i < ends->n; i++) p->ends[p->nleaves + i] = ends->at[i];
  p->ends[p->nleaves + ends->n] = PLACE_END; /* where each search ends */
  for (uint32_t i = p->nleaves - 1; i > 0; i--) {
    const uint32_t *kids = &p->ends[2 * (size_t)i];
    uint32_t left = kids[0], right = kids[1];
    p->ends[i] = left > right ? left : right;
  }
}

/* Returns the first range, from `range` on, that ends after a place. */
static uint32_t next_behind(const ph_livepoints *p, uint32_t range,
                            uint32_t at) {
  uint32_t i = p->nleaves + range;
  while (p->ends[i] <= at) {
    while (i % 2 == 1) i /= 2;
    i++;
  }
  while (i < p->nleaves) {
    i *= 2;
    if (p->ends[i] <= at) i++;
  }
  return i - p->nleaves;
}

const ph_livepoints *ph_livepoints_new(ph_func *f, const ph_liveness *l) {
  ph_arena_mark bottom = ph_scratch_enter(ph_ptr(f));
  ph_arena *asking = ph_asking_enter(f, &f->asking_code);
  ph_livepoints *p = ph_arena_alloc(asking, sizeof *p);
  work w = {.f = f, .a = &f->scratch, .l = ph_ptr(l), .p = p};
  p->nvalues = f->nodes.n;
  p->places = ph_places_find(f, asking);
  w.results = find_results(f, w.a);
  w.last = ph_arena_zero(w.a, f->nodes.n * sizeof(uint32_t));
  PH_EACH_BLOCK(f, b) add_ranges(&w, b);
  p->ranges = ph_csr_make(asking, f->blocks.n, &w.found);
  grow_tree(p, asking, &w.ends);
  ph_asking_leave(&f->asking_code);
  ph_scratch_leave(f, bottom);
  return p;
}

/* }== Answers ======================================================== */

static uint32_t start_of(const ph_livepoints *p, uint32_t v, uint32_t b) {
  return p->places.home[v] == b ? p->places.at[v] : 0;
}

/* Returns the first of the ranges in b that start after a place. */
static uint32_t first_later(const ph_livepoints *p, uint32_t b, uint32_t at) {
  uint32_t low = p->ranges.first[b], high = p->ranges.first[b + 1];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (start_of(p, p->ranges.to[middle], b) <= at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

uint32_t ph_livepoints_count(ph_func *f, const ph_livepoints *p, ph_value v,
                             bool across) {
  ph_ids *live = &ph_ptr(f)->answers.live;
  uint32_t b, at, end, i;
  ph_must(ph_contract_hasvalue(f, v) && "a value of this function");
  live->n = 0;
  v.id = ph_body_resolve(f, v.id);
  if (v.id >= ph_ptr(p)->nvalues || p->places.home[v.id] == 0) return 0;
  b = p->places.home[v.id];
  at = p->places.at[v.id];
  end = first_later(p, b, at);
  i = next_behind(p, p->ranges.first[b], at);
  for (; i < end; i = next_behind(p, i + 1, at)) {
    uint32_t w = p->ranges.to[i];
    bool is_defined_there = p->places.home[w] == b && p->places.at[w] == at;
    if (!across || !is_defined_there) ph_ids_push(live, &f->arena, w);
  }
  ph_vec_sortids(live);
  return live->n;
}

ph_value ph_livepoints_at(const ph_func *f, uint32_t k) {
  ph_must(k < ph_ptr(f)->answers.live.n && "from 0 to ph_livepoints_count - 1");
  return ph_valueid(f->answers.live.at[k]);
}

/* }=================================================================== */
