/* handle_data.h: Lua values that the user gives to blocks and variables. */
#ifndef PL_STATE_HANDLE_DATA_H
#define PL_STATE_HANDLE_DATA_H

#include "binding/state/userdata.h"

/* Forgets all data of the function at stack index fn, an absolute one. */
void pl_handle_data_forget(lua_State *L, int fn);

#endif
