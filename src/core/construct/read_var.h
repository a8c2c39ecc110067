/* read_var.h: readVariable, when the block itself does not tell (Algorithm
** 2). */
#ifndef PH_CONSTRUCT_READ_VAR_H
#define PH_CONSTRUCT_READ_VAR_H

#include "core/construct/trivial_phi.h"

/* Returns the value of var at the end of block b. */
uint32_t ph_read_var_run(ph_func *f, uint32_t var, uint32_t b);
/* Does the same for a read by the host, which is recorded if it may be
** undefined. */
uint32_t ph_read_var_read(ph_func *f, uint32_t var, uint32_t b);

#endif
