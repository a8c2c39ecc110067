/* read_host.h: reads by the host (readVariable, Algorithm 1). */
#ifndef PH_LOOKUP_READ_HOST_H
#define PH_LOOKUP_READ_HOST_H

#include "core/lookup/read_lazy.h"
#pragma GCC visibility push(hidden)

/* Returns the value of var at the end of b: tells listeners of the read,
** remembers its result in the variable's cell, and records it if it may be
** undefined. */
uint32_t ph_read_host_var(ph_func *f, uint32_t var, uint32_t b);

#pragma GCC visibility pop
#endif
