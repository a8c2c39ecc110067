/* protect.h: calls in protected mode that allocate nothing outside of it. */
#ifndef PL_STATE_PROTECT_H
#define PL_STATE_PROTECT_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

typedef int pl_protect_body(lua_State *L, void *ud);
/* Runs body(L, ud) in protected mode with the n values on top as arguments, and
** returns its status; leaves one result or the error.  Nothing is allocated
** outside of protected mode, so no finalizer runs there and no error gets past
** the caller. */
int pl_protect_run(lua_State *L, pl_protect_body *body, void *ud, int n);
/* True if the error on top is Lua's of a callback that has tried to yield. */
bool pl_protect_hasyielded(lua_State *L);
/* The Lua function that is called; it is a user value of the module. */
int pl_protect_callee(lua_State *L);

#pragma GCC visibility pop
#endif
