/* between.c: the edges between two blocks. */
#include "binding/analysis/between.h"

/* Returns the edge after `edge`, or the first if that is 0; 0: no more.  Looks
** from the end that has fewer edges. */
static uint32_t next_edge(const pl_between *it, const ph_func *f,
                          uint32_t edge) {
  uint32_t n = ph_block_nsuccs(f, it->from), end;
  if (n == 0) return 0;
  if (ph_block_npreds(f, it->to) < n) {
    do
      edge = edge == 0 ? ph_block_firstpred(f, it->to)
                       : ph_block_nextpred(f, edge);
    while (edge != 0 && !ph_same(ph_block_edgefrom(f, edge), it->from));
    return edge;
  }
  end = ph_block_succedge(f, it->from, n - 1) + 1;
  edge = edge == 0 ? end - n : edge + 1;
  while (edge < end && !ph_same(ph_block_edgeto(f, edge), it->to)) edge++;
  return edge < end ? edge : 0;
}

static void restart(pl_between *it, const ph_func *f) {
  it->edge = next_edge(it, f, 0);
  it->nth = 1;
}

uint32_t pl_between_find(pl_between *it, const ph_func *f, ph_block b,
                         ph_block to) {
  uint32_t edge;
  if (ph_same(it->from, b) && ph_same(it->to, to)) return it->count;
  it->from = b;
  it->to = to;
  it->count = 0;
  restart(it, f);
  for (edge = it->edge; edge != 0; edge = next_edge(it, f, edge)) it->count++;
  return it->count;
}

uint32_t pl_between_nth(pl_between *it, const ph_func *f, uint32_t nth) {
  if (nth < it->nth) restart(it, f);
  for (; it->nth < nth; it->nth++) it->edge = next_edge(it, f, it->edge);
  return it->edge;
}
