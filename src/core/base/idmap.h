/* idmap.h: maps from ids to numbers; like idset.h, their cost depends on their
** elements. */
#ifndef PH_BASE_IDMAP_H
#define PH_BASE_IDMAP_H

#include "core/base/vec.h"
#pragma GCC visibility push(hidden)

typedef struct {
  uint32_t id, to;
} ph_idpair;

/* A zeroed map is empty. */
typedef struct {
  ph_idpair *at;   /* an open hash; id 0: free */
  uint32_t n, cap; /* cap: a power of two, or 0 */
} ph_idmap;

/* Returns what id, not 0, is mapped to; 0 if it is not in m. */
uint32_t ph_idmap_get(const ph_idmap *m, uint32_t id);
/* Maps id, not 0, to another number. */
void ph_idmap_set(ph_idmap *m, ph_arena *a, uint32_t id, uint32_t to);

#pragma GCC visibility pop
#endif
