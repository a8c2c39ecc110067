/* edge_index.h: finds the edges between two blocks, and where they arrive.
**
** Made when an edge is first edited, or looked for by its ends, and kept up to
** date until ph_edge_index_forget. */
#ifndef PH_EDIT_EDGE_INDEX_H
#define PH_EDIT_EDGE_INDEX_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* What the index knows of an edge. */
typedef struct {
  uint64_t in, out; /* its order among the edges into, and out of, a block */
  uint32_t place;   /* its position in the chain of its target, from 0 */
  uint32_t prev;    /* the edge before it there, or 0 */
  uint32_t bundle;  /* 0: it does not arrive */
  uint32_t before, after; /* in the chain of its bundle, or 0 */
} ph_arrival;
PH_VEC(ph_arrivals, ph_arrival)

/* All edges between the same two blocks. */
typedef struct {
  uint32_t from, to;
  uint32_t first, last, n; /* the chain of its edges */
  bool sorted;             /* they are chained by `out` */
  bool mixed;              /* `in` may order them otherwise; if not: sorted */
} ph_bundle;
PH_VEC(ph_bundles, ph_bundle)

/* Which ends of a block are out of order (edge_order.c). */
enum { PH_LOOSE_IN = 1, PH_LOOSE_OUT = 2 };

struct ph_edge_index {
  bool whole;         /* it is made */
  ph_arrivals at;     /* by edge */
  ph_bundles bundles; /* from 1 */
  ph_ids spare;       /* bundles not in use */
  uint32_t *table;    /* of bundles: an open hash */
  uint32_t cap;       /* of the table: a power of two */
  uint64_t clock;     /* greater than all `in` and `out` */
  ph_bytes loose;     /* by block, may be shorter: PH_LOOSE_... */
  ph_ids ins, outs;   /* the blocks that are loose, and some that were */
};

static inline ph_arrival *ph_edge_index_at(const ph_func *f, uint32_t e) {
  return &f->edge_index->at.at[e];
}
static inline ph_bundle *ph_edge_index_bundle(const ph_func *f, uint32_t e) {
  return &f->edge_index->bundles.at[ph_edge_index_at(f, e)->bundle];
}

/* Makes the index if it does not exist, and room for all edges in it. */
void ph_edge_index_need(ph_func *f);
/* Puts edges in order and frees the index: to be called before anything but
** core/edit changes edges, or after it in a pass. */
void ph_edge_index_forget(ph_func *f);

/* Returns the number of edges from one block to another. */
uint32_t ph_edge_index_count(const ph_func *f, uint32_t from, uint32_t to);
/* Returns the n-th of them, from 0, in the order of targets; 0: there are
** fewer. */
uint32_t ph_edge_index_nth(ph_func *f, uint32_t from, uint32_t to, uint32_t n);
/* Chains the edges of a bundle by `out`. */
void ph_edge_index_sort(ph_func *f, ph_bundle *b);

/* Adds e to its bundle; true if `in` orders the bundle as `out` does. */
bool ph_edge_index_join(ph_func *f, uint32_t e);
/* Removes e from its bundle. */
void ph_edge_index_part(ph_func *f, uint32_t e);

/* Chains `next` after `prev` among the edges into t; 0: t's ends. */
void ph_edge_index_link(ph_func *f, ph_blockrec *t, uint32_t prev,
                        uint32_t next);
/* Gives edges other numbers: first + i becomes now[i].  What is 0 has departed
** and becomes free.  A new number is free or among the old ones. */
void ph_edge_index_renumber(ph_func *f, uint32_t first, uint32_t n,
                            const uint32_t *now);

#pragma GCC visibility pop
#endif
