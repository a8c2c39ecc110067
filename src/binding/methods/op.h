/* op.h: ops in Lua. */
#ifndef PL_METHODS_OP_H
#define PL_METHODS_OP_H

#include "phial.h"

/* The name of the method that emits op; NULL if it is not like the others:
** a leaf, a phi, a call, a projection or a terminator. */
const char *pl_op_method(ph_op op);

#endif
