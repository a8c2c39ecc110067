/* vec.c: growth of vectors, by doubling; sorting of ids. */
#include "core/base/vec.h"

#include <assert.h>
#include <stdlib.h>

void *ph_vec_grow(ph_arena *a, void *at, uint32_t *cap, uint32_t n,
                  size_t size) {
  uint32_t more = *cap;
  assert(n <= (uint32_t)1 << 31 && "ids have 31 bits");
  while (more < n) more += more == 0 ? 8 : more;
  at = ph_arena_grow(a, at, *cap * size, more * size);
  *cap = more;
  return at;
}

static int compare_ids(const void *p, const void *q) {
  uint32_t a = *(const uint32_t *)p, b = *(const uint32_t *)q;
  return (a > b) - (a < b);
}

void ph_vec_sortids(ph_ids *v) {
  if (v->n > 1) qsort(v->at, v->n, sizeof *v->at, compare_ids);
}
