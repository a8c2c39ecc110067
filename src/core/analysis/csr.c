/* csr.c: builds graphs from lists of edges, by counting.
**
** One pass counts the edges of each node, a second one stores them: linear
** time, no auxiliary arrays.  Edges keep their order.
*/
#include "core/analysis/csr.h"

#include <string.h>

static ph_csr blank(ph_arena *a, uint32_t n, uint32_t edges) {
  ph_csr g = {n, NULL, NULL};
  g.first = ph_arena_zero(a, (n + 1) * sizeof(uint32_t));
  g.to = ph_arena_alloc(a, (edges + 1) * sizeof(uint32_t));
  return g;
}

/* Turns the number of edges of i, in first[i + 1], into the index of its first
** edge.  Storing an edge of i increments that index, so that in the end it is
** where the edges of i + 1 begin. */
static void starts(ph_csr *g) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < g->n; i++) {
    uint32_t count = g->first[i + 1];
    g->first[i + 1] = sum;
    sum += count;
  }
}

ph_csr ph_csr_make(ph_arena *a, uint32_t n, const ph_pairs *p) {
  ph_csr g = blank(a, n, p->from.n);
  for (uint32_t e = 0; e < p->from.n; e++) g.first[p->from.at[e] + 1]++;
  starts(&g);
  for (uint32_t e = 0; e < p->from.n; e++)
    g.to[g.first[p->from.at[e] + 1]++] = p->to.at[e];
  return g;
}

ph_csr ph_csr_turned(ph_arena *a, const ph_csr *g) {
  uint32_t edges = g->first[g->n];
  ph_csr t = blank(a, g->n, edges);
  for (uint32_t e = 0; e < edges; e++) t.first[g->to[e] + 1]++;
  starts(&t);
  for (uint32_t i = 0; i < g->n; i++)
    for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++)
      t.to[t.first[g->to[e] + 1]++] = i;
  return t;
}

void ph_csr_drop(ph_arena *a, ph_csr *g) {
  ph_arena_drop(a, g->to, (g->first[g->n] + 1) * sizeof(uint32_t));
  ph_arena_drop(a, g->first, (g->n + 1) * sizeof(uint32_t));
}

void ph_csr_forget(ph_arena *a, ph_pairs *p) {
  ph_ids_drop(&p->to, a);
  ph_ids_drop(&p->from, a);
}
