/* dom.h: immediate dominators of any graph. */
#ifndef PH_ANALYSIS_DOM_H
#define PH_ANALYSIS_DOM_H

#include "core/analysis/graph.h"
#include "core/analysis/rpo.h"
#include "core/ir/body.h"
#include "phial/analysis.h"
#pragma GCC visibility push(hidden)

/* A node a dominates b if the position of b in a preorder of the tree is within
** the subtree of a: at[a] .. at[a] + size[a] - 1. */
struct ph_domtree {
  uint32_t n;      /* number of nodes of the graph, counting 0 */
  uint32_t *idom;  /* by node; 0 for the root and for unreachable nodes */
  uint32_t *at;    /* by node: its position in the preorder */
  uint32_t *size;  /* by node: number of nodes in its subtree; 0: unreachable */
  uint32_t *order; /* the nodes in preorder, size[root] of them */
};

/* Returns the dominator tree of the nodes of g that root reaches. */
ph_domtree *ph_dom_compute(const ph_csr *g, uint32_t root, ph_arena *a);
/* Returns the dominator tree of the blocks of f, siblings in reverse
** postorder. */
ph_domtree *ph_dom_blocks(const ph_func *f, ph_arena *a);
/* Those of ph_dom_blocks with unreachable blocks, as if a virtual root, 0, led
** to the entry and to *u, which it finds. */
ph_domtree *ph_dom_whole(const ph_func *f, ph_arena *a, ph_unreached *u);
/* True if a value of block `home` may be used in another block b, d and *u
** being from ph_dom_whole; or d from ph_dom_blocks, and *u empty.  Values from
** reachable code can be used in unreachable blocks: no path leads there.  Nor
** does one into a first component of these, if that is a cycle: in there, a
** variable can be computed from itself. */
bool ph_dom_defines(const ph_domtree *d, const ph_unreached *u, uint32_t home,
                    uint32_t b);
/* True if a dominates b.  Unreachable nodes are dominated by all. */
bool ph_dom_covers(const ph_domtree *d, uint32_t a, uint32_t b);

#pragma GCC visibility pop
#endif
