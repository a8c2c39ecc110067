/* emit.h: instructions that do not end a block. */
#ifndef PL_EMIT_EMIT_H
#define PL_EMIT_EMIT_H

#include "binding/emit/emission.h"
#pragma GCC visibility push(hidden)

/* Makes the instruction; pushes its results. */
int pl_emit_run(lua_State *L, pl_emission *e);

#pragma GCC visibility pop
#endif
