/* idset.h: sets of ids whose cost depends on their elements, not on all ids. */
#ifndef PH_BASE_IDSET_H
#define PH_BASE_IDSET_H

#include "core/base/vec.h"
#pragma GCC visibility push(hidden)

/* A zeroed set is empty. */
typedef struct {
  uint32_t *at;    /* an open hash; 0: free */
  uint32_t n, cap; /* cap: a power of two, or 0 */
} ph_idset;

/* Adds id, not 0; true if it is new. */
bool ph_idset_add(ph_idset *s, ph_arena *a, uint32_t id);
/* True if it contains id. */
bool ph_idset_has(const ph_idset *s, uint32_t id);

#pragma GCC visibility pop
#endif
