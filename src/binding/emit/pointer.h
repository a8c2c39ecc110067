/* pointer.h: arguments of alloca, address and call_indirect. */
#ifndef PL_EMIT_POINTER_H
#define PL_EMIT_POINTER_H

#include "binding/emit/emission.h"
#pragma GCC visibility push(hidden)

/* Take the arguments of an op from stack index `first` to `last`: of alloca, a
** type's name or a size, and an alignment; of address, what has one. */
void pl_pointer_takealloca(lua_State *L, pl_emission *e, int first, int last);
void pl_pointer_takeaddress(lua_State *L, pl_emission *e, int first, int last);
/* True if the value at `arg` is a value or variable, which is called by
** call_indirect. */
bool pl_pointer_isindirect(lua_State *L, const pl_emission *e, int arg);
/* Takes an address at stack index 2, the type of the result, and arguments.
** The address changes places with the type, so that operands follow one
** another. */
void pl_pointer_takecall(lua_State *L, pl_emission *e);

#pragma GCC visibility pop
#endif
