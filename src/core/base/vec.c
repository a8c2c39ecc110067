/* vec.c: growth of vectors, by doubling. */
#include "core/base/vec.h"

#include <assert.h>

/* Moves a vector to new memory; the old memory is poisoned and freed. */
static void *move(ph_arena *a, void *p, size_t old, size_t n) {
  void *q = ph_arena_alloc(a, n);
  if (old > 0) memcpy(q, p, old);
  ph_arena_drop(a, p, old);
  return q;
}

void *ph_vec_grow(ph_arena *a, void *at, uint32_t *cap, uint32_t n,
                  size_t size) {
  uint32_t more = *cap;
  assert(n <= (uint32_t)1 << 31 && "ids have 31 bits");
  while (more < n) more += more == 0 ? 8 : more;
  at = (PH_VEC_MOVES ? move : ph_arena_grow)(a, at, *cap * size, more * size);
  *cap = more;
  return at;
}
