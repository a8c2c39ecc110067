/* scc.h: strongly connected components. */
#ifndef PH_ANALYSIS_SCC_H
#define PH_ANALYSIS_SCC_H

#include "core/analysis/csr.h"
#pragma GCC visibility push(hidden)

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
