/* op.h: ops in Lua. */
#ifndef PL_METHODS_OP_H
#define PL_METHODS_OP_H

#include "phial.h"
#pragma GCC visibility push(hidden)

/* The name of the method that emits op; NULL if it is not like the others:
** a leaf, a phi, a call, a projection or a terminator. */
const char *pl_op_method(ph_op op);

#pragma GCC visibility pop
#endif
