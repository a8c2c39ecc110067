/* funcobj.h: a function's life in Lua. */
#ifndef PL_STATE_FUNCOBJ_H
#define PL_STATE_FUNCOBJ_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Pushes a new function, blank. */
pl_funcobj *pl_funcobj_new(lua_State *L);
/* Frees what it has, unless the core is at work on it. */
void pl_funcobj_close(lua_State *L, pl_funcobj *h);

#pragma GCC visibility pop
#endif
