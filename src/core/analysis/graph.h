/* graph.h: directed graphs for the analyses, as compressed sparse rows, and
** their strongly connected components.
**
** Nodes are 1 .. n-1; 0 is none, as everywhere.  The targets of node i are
** contiguous: to[first[i]] .. to[first[i + 1] - 1].
*/
#ifndef PH_ANALYSIS_GRAPH_H
#define PH_ANALYSIS_GRAPH_H

#include "core/base/vec.h"
#pragma GCC visibility push(hidden)

typedef struct {
  uint32_t n;      /* number of nodes, counting 0 */
  uint32_t *first; /* by node, n + 1 entries */
  uint32_t *to;
} ph_csr;

/* A list of edges: from.at[i] -> to.at[i]. */
typedef struct {
  ph_ids from, to;
} ph_pairs;

static inline void ph_csr_add(ph_pairs *p, ph_arena *a, uint32_t from,
                              uint32_t to) {
  ph_ids_push(&p->from, a, from);
  ph_ids_push(&p->to, a, to);
}

/* Returns the graph of these edges; ph_csr_turned: g with each edge reversed.
** The edges of a node keep their order. */
ph_csr ph_csr_make(ph_arena *a, uint32_t n, const ph_pairs *p);
ph_csr ph_csr_turned(ph_arena *a, const ph_csr *g);
/* Frees a graph, and a list of edges. */
void ph_csr_drop(ph_arena *a, ph_csr *g);
void ph_csr_forget(ph_arena *a, ph_pairs *p);

/* Component i consists of at[first[i]] .. at[first[i + 1] - 1]; edges between
** components lead from a smaller i to a larger one. */
typedef struct {
  uint32_t n; /* number of components */
  uint32_t *first;
  uint32_t *at;
} ph_sccs;

/* Returns the components of all nodes of g except 0. */
ph_sccs ph_scc_compute(const ph_csr *g, ph_arena *a);
/* Frees s; g: the graph it was computed from. */
void ph_scc_drop(ph_arena *a, ph_sccs *s, const ph_csr *g);

#pragma GCC visibility pop
#endif
