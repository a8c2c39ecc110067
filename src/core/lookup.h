/* lookup.h: readVariable beyond the block itself. */
#ifndef PH_LOOKUP_H
#define PH_LOOKUP_H

#include "core/phi.h"

/* The value of var at the end of block b, which has no definition of it. */
uint32_t ph_lookup_run(ph_func *f, uint32_t var, uint32_t b);
/* The same when b may have one. */
uint32_t ph_lookup_value(ph_func *f, uint32_t var, uint32_t b);

#endif
