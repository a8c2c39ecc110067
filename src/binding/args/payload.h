/* payload.h: the Lua value that an instruction carries. */
#ifndef PL_ARGS_PAYLOAD_H
#define PL_ARGS_PAYLOAD_H

#include "binding/state/userdata.h"

/* Keeps the Lua value at `arg` alive (fn: stack index of the function) if the
** core cannot hold it; then makes the datum for it. */
void pl_payload_keep(lua_State *L, pl_funcobj *h, int fn, int arg);
ph_data pl_payload_of(lua_State *L, pl_funcobj *h, int arg);
/* Checks that the Lua value at `arg` can be the callee of a call. */
void pl_payload_checkcallee(lua_State *L, pl_funcobj *h, int arg);

#endif
