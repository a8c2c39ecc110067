/* scc.c: strongly connected components in topological order.
**
** Tarjan, "Depth-first search and linear graph algorithms" (1972).  A walk
** numbers nodes as it meets them; they stay open until their component is
** known.  `low` of a node is the smallest number of an open node that it is
** known to lead to.  A node that leads to no older open node closes a
** component: itself and all nodes opened after it.
**
** A component is closed after all components that it leads to.  So components
** are stored from the end, which gives topological order.  The path of the walk
** is an explicit stack; `next` of a node on it is its next edge.
*/
#include "core/analysis/scc.h"

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

static void enter(walk *w, uint32_t v) {
  w->number[v] = w->low[v] = ++w->met;
  w->next[v] = w->g->first[v];
  w->open[w->nopen++] = v;
  w->path[w->npath++] = v;
}

static void lower(walk *w, uint32_t v, uint32_t low) {
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

static void leave(walk *w, uint32_t v) {
  w->npath--;
  if (w->low[v] == w->number[v]) close_component(w, v);
  if (w->npath > 0) lower(w, w->path[w->npath - 1], w->low[v]);
}

static void walk_from(walk *w, uint32_t start) {
  enter(w, start);
  while (w->npath > 0) {
    uint32_t v = w->path[w->npath - 1];
    if (w->next[v] == w->g->first[v + 1]) {
      leave(w, v);
    } else {
      uint32_t to = w->g->to[w->next[v]++];
      if (w->number[to] == 0)
        enter(w, to);
      else
        lower(w, v, w->number[to]);
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
