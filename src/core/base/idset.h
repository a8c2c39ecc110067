/* idset.h: sets of ids that cost what is in them, not what could be. */
#ifndef PH_BASE_IDSET_H
#define PH_BASE_IDSET_H

#include "core/base/vec.h"

/* Zeroed it is empty. */
typedef struct {
  uint32_t *at;    /* an open hash; 0: free */
  uint32_t n, cap; /* cap: a power of two, or 0 */
} ph_idset;

/* Puts id, not 0, in; was it new? */
bool ph_idset_add(ph_idset *s, ph_arena *a, uint32_t id);

#endif
