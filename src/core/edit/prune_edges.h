/* prune_edges.h: edges that are never taken, found in a pass over a function. */
#ifndef PH_EDIT_PRUNE_EDGES_H
#define PH_EDIT_PRUNE_EDGES_H

#include "core/analysis/dom.h"

typedef struct {
  ph_func *f;
  ph_arena *a;
  const ph_domtree *d;
  bool *gone;        /* by edge: it is never taken */
  bool *dead;        /* by block: nothing leads to it any more */
  uint32_t *entries; /* by block: edges that lead to it from outside */
  uint32_t *kept;    /* by block: the only edge that is taken, or 0 */
  ph_ids ended;      /* blocks that have such an edge */
  ph_ids lost;       /* blocks that have lost an edge */
  ph_ids dying;      /* dead; their edges are not gone yet */
} ph_prune_edges;

/* All blocks of f are in the tree. */
ph_prune_edges ph_prune_edges_start(ph_func *f, const ph_domtree *d,
                                    ph_arena *a);
/* Of the edges of b only this one is taken. */
void ph_prune_edges_keep(ph_prune_edges *c, uint32_t b, uint32_t edge);
/* Takes the edges away.  Dead blocks stay. */
void ph_prune_edges_apply(ph_prune_edges *c);

#endif
