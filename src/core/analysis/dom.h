/* dom.h: immediate dominators of any graph. */
#ifndef PH_ANALYSIS_DOM_H
#define PH_ANALYSIS_DOM_H

#include "core/ir/body.h"
#include "core/analysis/csr.h"

/* a dominates b when b's place in a preorder of the tree is among those of
** a's subtree: at[a] .. at[a] + size[a] - 1. */
struct ph_domtree {
  uint32_t n;      /* nodes of the graph */
  uint32_t *idom;  /* by node; 0: the root, or not reached */
  uint32_t *at;    /* by node */
  uint32_t *size;  /* by node; 0: the root does not reach it */
  uint32_t *order; /* the preorder: size[root] nodes */
};

/* The dominators in g of what root reaches. */
ph_domtree *ph_dom_compute(const ph_csr *g, uint32_t root, ph_arena *a);
/* The same for the blocks of f. */
ph_domtree *ph_dom_blocks(const ph_func *f, ph_arena *a);
/* Does a dominate b?  What is not reached is dominated by all. */
bool ph_dom_covers(const ph_domtree *d, uint32_t a, uint32_t b);

#endif
