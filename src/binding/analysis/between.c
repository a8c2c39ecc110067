/* between.c: the edges between two blocks. */
#include "binding/analysis/between.h"

uint32_t pl_between_next(const ph_func *f, ph_block b, ph_block to,
                         uint32_t edge) {
  uint32_t n = ph_block_nsuccs(f, b), end;
  if (n == 0) return 0;
  if (ph_block_npreds(f, to) < n) {
    do
      edge = edge == 0 ? ph_block_firstpred(f, to) : ph_block_nextpred(f, edge);
    while (edge != 0 && !ph_same(ph_block_edgefrom(f, edge), b));
    return edge;
  }
  end = ph_block_succedge(f, b, n - 1) + 1;
  edge = edge == 0 ? end - n : edge + 1;
  while (edge < end && !ph_same(ph_block_edgeto(f, edge), to)) edge++;
  return edge < end ? edge : 0;
}
