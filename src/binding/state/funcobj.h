/* funcobj.h: a function's life in Lua, and the Lua values that it keeps for the
** user.
*/
#ifndef PL_STATE_FUNCOBJ_H
#define PL_STATE_FUNCOBJ_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Pushes a new function, blank. */
pl_funcobj *pl_funcobj_new(lua_State *L);
/* Frees what it has, unless the core is at work on it. */
void pl_funcobj_close(lua_State *L, pl_funcobj *h);
/* Pushes what the function at stack index fn keeps under the key, and returns
** its type. */
int pl_funcobj_pushkept(lua_State *L, int fn, lua_Integer key);
/* Lets it keep the value at `at`, not counted from the top. */
void pl_funcobj_keep(lua_State *L, int fn, lua_Integer key, int at);
/* Pushes its dialect of that name, or nil; returns the type. */
int pl_funcobj_pushdialect(lua_State *L, int fn, ph_str name);
/* Pushes the node of that number (identity.h), or nil for 0. */
void pl_funcobj_pushnode(lua_State *L, int fn, uint32_t node);

/* Lets h, at stack index fn, keep the first n nodes of the function at `from`
** after its own ones, which do not count them yet; not if finalizers that run in
** here have set others. */
void pl_funcobj_sharenodes(lua_State *L, int from, uint32_t n,
                           const pl_funcobj *h, int fn);

#pragma GCC visibility pop
#endif
