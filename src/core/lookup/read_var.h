/* read_var.h: the look-up of a variable from the end of a block upwards
** (readVariableRecursive, Algorithm 2). */
#ifndef PH_LOOKUP_READ_VAR_H
#define PH_LOOKUP_READ_VAR_H

#include "core/lookup/trivial_phi.h"

/* Returns the value of var at the end of block b: a look-up that construction
** needs, for the operand of a phi. */
uint32_t ph_read_var_lookup(ph_func *f, uint32_t var, uint32_t b);
/* Does the same for a read by the host: tells listeners of it, remembers its
** result in the variable's cell, and records it if it may be undefined. */
uint32_t ph_read_var_forhost(ph_func *f, uint32_t var, uint32_t b);

#endif
