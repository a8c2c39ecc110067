/* graph.c: graphs, and their strongly connected components.
**
** A graph is built from a list of edges by counting.  One pass counts the edges
** of each node, a second one stores them: linear time, no auxiliary arrays.
** Edges keep their order.
**
** Components: Tarjan, "Depth-first search and linear graph algorithms" (1972).
** A walk numbers nodes as it meets them; they stay open until their component
** is known.  `low` of a node is the smallest number of an open node that it is
** known to lead to.  A node that leads to no older open node closes a
** component: itself and all nodes opened after it.
**
** A component is closed after all components that it leads to.  So components
** are stored from the end, which gives topological order.  The path of the walk
** is an explicit stack; `next` of a node on it is its next edge.
*/
#include "core/analysis/graph.h"

#include <string.h>

/*
** {== Building =======================================================
*/

static ph_csr blank_graph(ph_arena *a, uint32_t n, uint32_t edges) {
  ph_csr g = {n, NULL, NULL};
  g.first = ph_arena_zero(a, (n + 1) * sizeof(uint32_t));
  g.to = ph_arena_alloc(a, (edges + 1) * sizeof(uint32_t));
  return g;
}

/* Turns the number of edges of i, in first[i + 1], into the index of its first
** edge.  Storing an edge of i increments that index, so that in the end it is
** where the edges of i + 1 begin. */
static void count_to_index(ph_csr *g) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < g->n; i++) {
    uint32_t count = g->first[i + 1];
    g->first[i + 1] = sum;
    sum += count;
  }
}

ph_csr ph_csr_make(ph_arena *a, uint32_t n, const ph_pairs *p) {
  ph_csr g = blank_graph(a, n, p->from.n);
  for (uint32_t e = 0; e < p->from.n; e++) g.first[p->from.at[e] + 1]++;
  count_to_index(&g);
  for (uint32_t e = 0; e < p->from.n; e++)
    g.to[g.first[p->from.at[e] + 1]++] = p->to.at[e];
  return g;
}

ph_csr ph_csr_turned(ph_arena *a, const ph_csr *g) {
  uint32_t edges = g->first[g->n];
  ph_csr t = blank_graph(a, g->n, edges);
  for (uint32_t e = 0; e < edges; e++) t.first[g->to[e] + 1]++;
  count_to_index(&t);
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

/* }== Strongly connected components ================================== */

#define CLOSED UINT32_MAX

typedef struct {
  const ph_csr *g;
  uint32_t *number, *low, *next; /* by node; number 0: not met */
  uint32_t *open, nopen;
  uint32_t *path, npath;
  uint32_t met;
  uint32_t *at, *first; /* the result, filled from the ends */
  uint32_t at_free, first_free;
} walk;

static void open_node(walk *w, uint32_t v) {
  w->number[v] = w->low[v] = ++w->met;
  w->next[v] = w->g->first[v];
  w->open[w->nopen++] = v;
  w->path[w->npath++] = v;
}

static void lower_to(walk *w, uint32_t v, uint32_t low) {
  if (low < w->low[v]) w->low[v] = low;
}

static void close_component(walk *w, uint32_t oldest) {
  uint32_t v;
  do {
    v = w->open[--w->nopen];
    w->number[v] = CLOSED;
    w->at[--w->at_free] = v;
  } while (v != oldest);
  w->first[--w->first_free] = w->at_free;
}

static void walk_from(walk *w, uint32_t start) {
  open_node(w, start);
  while (w->npath > 0) {
    uint32_t v = w->path[w->npath - 1];
    if (w->next[v] == w->g->first[v + 1]) {
      w->npath--;
      if (w->low[v] == w->number[v]) close_component(w, v);
      if (w->npath > 0) lower_to(w, w->path[w->npath - 1], w->low[v]);
    } else {
      uint32_t to = w->g->to[w->next[v]++];
      if (w->number[to] == 0)
        open_node(w, to);
      else
        lower_to(w, v, w->number[to]);
    }
  }
}

ph_sccs ph_scc_compute(const ph_csr *g, ph_arena *a) {
  uint32_t n = g->n;
  size_t bytes = n * sizeof(uint32_t);
  ph_sccs s;
  walk w = {0};
  w.g = g;
  w.at = ph_arena_alloc(a, 2 * bytes);
  w.first = w.at + n;
  w.number = ph_arena_zero(a, 5 * bytes);
  w.low = w.number + n;
  w.next = w.low + n;
  w.open = w.next + n;
  w.path = w.open + n;
  w.at_free = w.first_free = n - 1;
  w.first[n - 1] = n - 1;
  for (uint32_t v = n - 1; v > 0; v--)
    if (w.number[v] == 0) walk_from(&w, v);
  ph_arena_drop(a, w.number, 5 * bytes);
  s.n = n - 1 - w.first_free;
  s.first = w.first + w.first_free;
  s.at = w.at;
  return s;
}

void ph_scc_drop(ph_arena *a, ph_sccs *s, const ph_csr *g) {
  ph_arena_drop(a, s->at, sizeof(uint32_t) * 2 * g->n);
}

/* }=================================================================== */
