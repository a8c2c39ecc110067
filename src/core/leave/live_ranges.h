/* live_ranges.h: where values are defined, in dominance order, and where chosen
** ones are live.
**
** Where a value is defined: analysis/places.h.  Only values that are defined in
** reached blocks have a place.
*/
#ifndef PH_LEAVE_LIVE_RANGES_H
#define PH_LEAVE_LIVE_RANGES_H

#include "core/analysis/dom.h"
#include "core/analysis/graph.h"
#pragma GCC visibility push(hidden)

typedef struct {
  const ph_func *f;
  const ph_domtree *dom;
  const bool *chosen; /* by value: its live range is known */
  uint32_t *home; /* by value: block of its definition; 0: none is reached */
  uint32_t *at;   /* by value: place in that block, from 0 (its start) */
  ph_csr uses; /* by value: the instructions that use it, in dominance order */
  ph_csr ends; /* by value: the blocks at whose end it is live, by position in
                  dom->order, ascending */
} ph_live_ranges;

/* Finds the points of all values, and the live ranges of those in `chosen`.
** needed: by value, the phis whose operands count as used. */
ph_live_ranges ph_live_ranges_find(const ph_func *f, ph_arena *a,
                                   const ph_domtree *dom, const bool *chosen,
                                   const bool *needed);

/* True if v precedes w, another value, in dominance order: by block in preorder
** of the dominator tree, then by place, then by id.  So the values that v
** dominates follow it without a gap. */
static inline bool ph_live_ranges_precedes(const ph_live_ranges *r, uint32_t v,
                                           uint32_t w) {
  uint32_t bv = r->dom->at[r->home[v]], bw = r->dom->at[r->home[w]];
  if (bv != bw) return bv < bw;
  return r->at[v] != r->at[w] ? r->at[v] < r->at[w] : v < w;
}

/* Returns the position, in dom->order, after the blocks that v dominates. */
static inline uint32_t ph_live_ranges_end(const ph_live_ranges *r, uint32_t v) {
  return r->dom->at[r->home[v]] + r->dom->size[r->home[v]];
}

/* True if v dominates w, which v precedes. */
static inline bool ph_live_ranges_dominates(const ph_live_ranges *r, uint32_t v,
                                            uint32_t w) {
  return r->dom->at[r->home[w]] < ph_live_ranges_end(r, v);
}

/* True if v, which is chosen, is live right after the definition of w, which
** it dominates.  (If both are defined at one point, v is if it is used.) */
bool ph_live_ranges_covers(const ph_live_ranges *r, uint32_t v, uint32_t w);

#pragma GCC visibility pop
#endif
