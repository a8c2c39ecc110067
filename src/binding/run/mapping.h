/* mapping.h: memory that grows inside of addresses that are reserved once.
**
** What is reserved takes no memory, and of what has grown only pages that were
** touched do.  Where the system cannot do that, memory moves when it grows.
*/
#ifndef PL_RUN_MAPPING_H
#define PL_RUN_MAPPING_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

typedef struct {
  uint8_t *base;
  uint64_t size, reserved; /* bytes */
} pl_mapping;

/* Pushes a new one of no bytes, which its finalizer frees; NULL, and nothing is
** pushed: the addresses are not to be had. */
pl_mapping *pl_mapping_push(lua_State *L, uint64_t reserved);
/* Adds bytes, which are zero; false: that many are not reserved, or there is no
** memory. */
bool pl_mapping_grow(pl_mapping *m, uint64_t n);
/* Makes it one of `size` bytes, which are zero; it had as many.  False: then it
** has none. */
bool pl_mapping_restart(pl_mapping *m, uint64_t size);
void pl_mapping_free(pl_mapping *m);
/* True if bytes do not move when it grows. */
bool pl_mapping_stays(void);

#pragma GCC visibility pop
#endif
