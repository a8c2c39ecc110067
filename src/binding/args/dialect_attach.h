/* dialect_attach.h: dialects of a function. */
#ifndef PL_ARGS_DIALECT_ATTACH_H
#define PL_ARGS_DIALECT_ATTACH_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Attaches the dialects in the list at `arg`; fn: stack index of the function.
*/
void pl_dialect_attach_all(lua_State *L, pl_funcobj *h, int fn, int arg);
/* Returns the op that the handle at `arg` means in h, and attaches its dialect;
** *spec, unless NULL, becomes the op's description.  fn 0: the function is that
** of argument 1. */
ph_op pl_dialect_attach_op(lua_State *L, pl_funcobj *h, int fn, int arg,
                           const ph_opspec **spec);

#pragma GCC visibility pop
#endif
