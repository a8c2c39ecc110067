/* read_var.h: readVariable beyond the block itself. */
#ifndef PH_CONSTRUCT_READ_VAR_H
#define PH_CONSTRUCT_READ_VAR_H

#include "core/construct/trivial_phi.h"

/* The value of var at the end of block b. */
uint32_t ph_read_var_run(ph_func *f, uint32_t var, uint32_t b);
/* The same for a read of the host: it is noted. */
uint32_t ph_read_var_read(ph_func *f, uint32_t var, uint32_t b);

#endif
