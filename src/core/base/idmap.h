/* idmap.h: maps from ids to numbers, and sets of ids, whose cost depends on
** their elements, not on all ids. */
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

/* A set is a map to numbers other than 0. */
typedef ph_idmap ph_idset;

/* Adds id, not 0; true if it is new. */
bool ph_idset_add(ph_idset *s, ph_arena *a, uint32_t id);
/* True if it contains id. */
bool ph_idset_has(const ph_idset *s, uint32_t id);

#pragma GCC visibility pop
#endif
