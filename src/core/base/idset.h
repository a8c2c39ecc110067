/* set.h: sets of ids that cost what is in them, not what could be. */
#ifndef PH_SET_H
#define PH_SET_H

#include "core/base/vec.h"

/* Zeroed it is empty. */
typedef struct {
  uint32_t *at;    /* an open hash; 0: free */
  uint32_t n, cap; /* cap: a power of two, or 0 */
} ph_set;

/* Puts id, not 0, in; was it new? */
bool ph_set_add(ph_set *s, ph_arena *a, uint32_t id);

#endif
