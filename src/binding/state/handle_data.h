/* handle_data.h: Lua values that the user gives to blocks, variables and
** accesses. */
#ifndef PL_STATE_HANDLE_DATA_H
#define PL_STATE_HANDLE_DATA_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Pushes the table of the nodes of accesses; returns its index.  Argument 1 is
** a handle of h, which must record accesses.  Finalizers may run in here. */
int pl_handle_data_nodes(lua_State *L, pl_funcobj *h);
/* Makes the value at stack index `node` the node of the next access. */
void pl_handle_data_setnode(lua_State *L, const pl_funcobj *h, int nodes,
                            int node);
/* Pushes the node of an access, or nil. */
void pl_handle_data_pushnode(lua_State *L, int fn, ph_access a);
/* Forgets all data of the function at stack index fn, an absolute one. */
void pl_handle_data_forget(lua_State *L, int fn);

#pragma GCC visibility pop
#endif
