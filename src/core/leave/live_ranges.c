/* live_ranges.c: where values are defined, and where chosen ones are live.
**
** Live ranges are found by path exploration, as in analysis/liveness.c, for one
** value at a time.  What is stored of a value are the blocks at whose end it is
** live, and the instructions that use it, both in dominance order: so two
** binary searches say whether it is live at a point that its definition
** dominates.  A counting sort orders all blocks of all values at once.
**
** An operand of a phi is used at the end of its predecessor, and not live on
** the edge any more.  A parallel copy on the edge reads it there.
*/
#include "core/leave/live_ranges.h"

#include "core/analysis/places.h"

typedef struct {
  ph_live_ranges *r;
  ph_arena *a;
  ph_csr leaving; /* by value: blocks at whose end phis use it */
  ph_pairs ends;  /* pairs of a position in dom->order and a value */
  uint32_t *seen_end, *seen_start; /* by block: the last value live there */
  ph_ids todo; /* worklist: blocks at whose start the value is live */
} walk;

/*
** {== Definitions ====================================================
*/

/* Values of blocks that are not reached have no place here. */
static void place_reached(ph_live_ranges *r, ph_arena *a) {
  ph_places places = ph_places_find(r->f, a);
  for (uint32_t v = 1; v < r->f->nodes.n; v++)
    if (r->dom->size[places.home[v]] == 0) places.home[v] = 0;
  r->home = places.home;
  r->at = places.at;
}

/* }== Uses =========================================================== */

static void add_uses(const walk *w, ph_pairs *uses, uint32_t v) {
  const ph_func *f = w->r->f;
  for (uint32_t i = 0; i < ph_node_of(f, v)->nargs; i++) {
    uint32_t arg = ph_body_operand(f, v, i);
    if (w->r->chosen[arg]) ph_csr_add(uses, w->a, arg, v);
  }
}

static void find_uses(walk *w) {
  ph_live_ranges *r = w->r;
  const ph_func *f = r->f;
  ph_pairs uses = {0};
  for (uint32_t i = 0; i < r->dom->size[ph_block_entry(f).id]; i++) {
    PH_EACH_INST(f, r->dom->order[i], v) {
      if (!ph_places_isresult(f, v)) add_uses(w, &uses, v);
    }
  }
  r->uses = ph_csr_make(w->a, f->nodes.n, &uses);
}

static void add_phi_uses(const walk *w, ph_pairs *uses, uint32_t b,
                         uint32_t phi) {
  const ph_func *f = w->r->f;
  uint32_t i = 0;
  PH_EACH_PRED(f, b, e) {
    uint32_t arg = ph_body_operand(f, phi, i++), from = f->edges.at[e].from;
    if (w->r->chosen[arg] && w->r->dom->size[from] != 0)
      ph_csr_add(uses, w->a, arg, from);
  }
}

static void find_phi_uses(walk *w, const bool *needed) {
  const ph_func *f = w->r->f;
  ph_pairs uses = {0};
  PH_EACH_BLOCK(f, b) {
    PH_EACH_PHI(f, b, v) {
      if (needed[v]) add_phi_uses(w, &uses, b, v);
    }
  }
  w->leaving = ph_csr_make(w->a, f->nodes.n, &uses);
}

/* }== Walks ========================================================== */

static void live_at_start(walk *w, uint32_t v, uint32_t b) {
  if (b == w->r->home[v] || w->seen_start[b] == v) return;
  w->seen_start[b] = v;
  ph_ids_push(&w->todo, w->a, b);
}

static void live_at_end(walk *w, uint32_t v, uint32_t b) {
  if (w->seen_end[b] == v || w->r->dom->size[b] == 0) return;
  w->seen_end[b] = v;
  ph_csr_add(&w->ends, w->a, w->r->dom->at[b], v);
  live_at_start(w, v, b);
}

static void explore_value(walk *w, uint32_t v) {
  const ph_func *f = w->r->f;
  const ph_csr *uses = &w->r->uses;
  for (uint32_t i = uses->first[v]; i < uses->first[v + 1]; i++)
    live_at_start(w, v, ph_node_of(f, uses->to[i])->block);
  for (uint32_t i = w->leaving.first[v]; i < w->leaving.first[v + 1]; i++)
    live_at_end(w, v, w->leaving.to[i]);
  while (w->todo.n > 0) {
    uint32_t b = w->todo.at[--w->todo.n];
    PH_EACH_PRED(f, b, e) live_at_end(w, v, f->edges.at[e].from);
  }
}

ph_live_ranges ph_live_ranges_find(const ph_func *f, ph_arena *a,
                                   const ph_domtree *dom, const bool *chosen,
                                   const bool *needed) {
  uint32_t nvalues = f->nodes.n, nblocks = f->blocks.n;
  ph_live_ranges r = {.f = f, .dom = dom, .chosen = chosen};
  walk w = {.r = &r, .a = a};
  ph_csr by_block;
  w.seen_end = ph_arena_zero(a, nblocks * sizeof(uint32_t));
  w.seen_start = ph_arena_zero(a, nblocks * sizeof(uint32_t));
  place_reached(&r, a);
  find_uses(&w);
  find_phi_uses(&w, needed);
  for (uint32_t v = 1; v < nvalues; v++)
    if (chosen[v] && r.home[v] != 0) explore_value(&w, v);
  by_block = ph_csr_make(a, nvalues > nblocks ? nvalues : nblocks, &w.ends);
  ph_csr_forget(a, &w.ends);
  r.ends = ph_csr_turned(a, &by_block);
  ph_csr_drop(a, &by_block);
  return r;
}

/* }== Answers ======================================================== */

static bool is_live_at_end(const ph_live_ranges *r, uint32_t v, uint32_t b) {
  uint32_t low = r->ends.first[v], high = r->ends.first[v + 1];
  uint32_t pos = r->dom->at[b];
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (r->ends.to[middle] == pos) return true;
    if (r->ends.to[middle] < pos)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

/* True if an instruction of b after place `at` uses v: if the last use of v
** that is not after b is one. */
static bool is_used_behind(const ph_live_ranges *r, uint32_t v, uint32_t b,
                           uint32_t at) {
  uint32_t first = r->uses.first[v];
  uint32_t low = first, high = r->uses.first[v + 1], last;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    uint32_t block = ph_node_of(r->f, r->uses.to[middle])->block;
    if (r->dom->at[block] <= r->dom->at[b])
      low = middle + 1;
    else
      high = middle;
  }
  if (low == first) return false;
  last = r->uses.to[low - 1];
  return ph_node_of(r->f, last)->block == b && r->at[last] > at;
}

bool ph_live_ranges_covers(const ph_live_ranges *r, uint32_t v, uint32_t w) {
  uint32_t b = r->home[w];
  return is_used_behind(r, v, b, r->at[w]) || is_live_at_end(r, v, b);
}

/* }=================================================================== */
