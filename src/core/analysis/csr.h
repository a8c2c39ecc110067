/* graph.h: directed graphs for the analyses.
**
** Nodes are 1 .. n-1; 0 is none, as everywhere.  The targets of node i lie
** side by side, at to[first[i]] .. to[first[i + 1] - 1].
*/
#ifndef PH_GRAPH_H
#define PH_GRAPH_H

#include "core/base/vec.h"

typedef struct {
  uint32_t n;
  uint32_t *first; /* n + 1 of them */
  uint32_t *to;
} ph_graph;

/* Edges being collected: from.at[i] -> to.at[i]. */
typedef struct {
  ph_ids from, to;
} ph_pairs;

static inline void ph_graph_add(ph_pairs *p, ph_arena *a, uint32_t from,
                                uint32_t to) {
  ph_ids_push(&p->from, a, from);
  ph_ids_push(&p->to, a, to);
}

/* The graph of these edges, and the one with each edge turned round.  The
** edges of a node keep their order. */
ph_graph ph_graph_make(ph_arena *a, uint32_t n, const ph_pairs *p);
ph_graph ph_graph_turned(ph_arena *a, const ph_graph *g);
/* Give back the memory. */
void ph_graph_drop(ph_arena *a, ph_graph *g);
void ph_graph_forget(ph_arena *a, ph_pairs *p);

#endif
