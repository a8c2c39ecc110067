/* vec.c: growth of vectors, by doubling. */
#include "core/base/vec.h"

#include <assert.h>

void *ph_vec_grow(ph_arena *a, void *at, uint32_t *cap, uint32_t n,
                  size_t size) {
  uint32_t more = *cap;
  assert(n <= (uint32_t)1 << 31 && "ids have 31 bits");
  while (more < n) more += more == 0 ? 8 : more;
  at = ph_arena_grow(a, at, *cap * size, more * size);
  *cap = more;
  return at;
}
