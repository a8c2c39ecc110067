/* rpo.h: blocks in reverse postorder, and those that the entry does not
** reach. */
#ifndef PH_ANALYSIS_RPO_H
#define PH_ANALYSIS_RPO_H

#include "core/analysis/graph.h"
#include "core/ir/body.h"
#include "phial/analysis.h"
#pragma GCC visibility push(hidden)

#define PH_UNREACHED UINT32_MAX

/* A component of unreachable blocks is a first one if no edge enters it. */
typedef struct {
  ph_ids roots;    /* a block of each first component, in ascending order */
  uint32_t *cycle; /* by block: the root of its component if that is a first one
                      and a cycle, else 0 */
  bool *arrives;   /* by edge: true if it has arrived at an unreachable block */
} ph_unreached;

/* Finds the roots.  index, by block: PH_UNREACHED if the entry does not reach
** the block.  The result is in memory of a. */
ph_unreached ph_unreached_find(const ph_func *f, const uint32_t *index,
                               ph_arena *a);

struct ph_rpo {
  uint32_t *rpo;   /* the reachable blocks, perhaps followed by the others */
  uint32_t *index; /* by block: its position in rpo, or PH_UNREACHED */
  uint32_t count;  /* number of reachable blocks */
  uint32_t total;  /* length of `rpo` */
  uint32_t n;      /* length of `index` */
};

/* Computes the order of the blocks of f as they are now, in memory of `a`. */
ph_rpo *ph_rpo_compute(const ph_func *f, ph_arena *a);
/* The same with all blocks if f keeps unreachable ones. */
ph_rpo *ph_rpo_whole(const ph_func *f, ph_arena *a);
/* True if b counts where blocks that are not reached do not; o: the order, or
** NULL if all count. */
static inline bool ph_rpo_counts(const ph_rpo *o, uint32_t b) {
  return o == NULL || o->index[b] < o->count;
}
/* Return the graph of the blocks: the edges that leave each block, from last to
** first, as the order takes them; those that have arrived there, reversed. */
ph_csr ph_rpo_graph(const ph_func *f, ph_arena *a);
ph_csr ph_rpo_preds(const ph_func *f, ph_arena *a);

#pragma GCC visibility pop
#endif
