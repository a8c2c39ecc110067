/* dce.h: removes edges that a pass has found to be never taken.  (That dead values
** are removed is declared in phial/analysis.h.)
*/
#ifndef PH_EDIT_DCE_H
#define PH_EDIT_DCE_H

#include "core/analysis/dom.h"
#include "phial/analysis.h"
#pragma GCC visibility push(hidden)

typedef struct {
  ph_func *f;
  ph_arena *a;
  const ph_domtree *d;
  bool *gone;        /* by edge: true if it is never taken */
  bool *dead;        /* by block: true if no edge leads to it any more */
  uint32_t *entries; /* by block: number of edges into it, without back edges;
                        NULL: none is gone */
  uint32_t *kept;    /* by block: its only edge that is taken, or 0 */
  ph_ids ended;      /* blocks with an entry in `kept` */
  ph_ids traps;      /* trap_ifs at which control ends */
  ph_ids lost;       /* targets of `gone` edges */
  ph_ids dying;      /* worklist: dead blocks whose edges are not marked yet */
} ph_prune_edges;

/* Starts a pass over f.  Requires: all blocks of f are in the tree d. */
ph_prune_edges ph_prune_edges_start(ph_func *f, const ph_domtree *d,
                                    ph_arena *a);
/* Records that of the edges of b only this one is taken. */
void ph_prune_edges_keep(ph_prune_edges *c, uint32_t b, uint32_t edge);
/* Records that control ends at v, a trap_if, of whose block nothing else is
** recorded. */
void ph_prune_edges_trap(ph_prune_edges *c, uint32_t v);
/* Removes the edges that are never taken, and what follows traps, which dead
** blocks may still use.  These stay. */
void ph_prune_edges_apply(ph_prune_edges *c);

#pragma GCC visibility pop
#endif
