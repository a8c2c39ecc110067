/* position.h: the block that something is emitted into. */
#ifndef PL_EMIT_POSITION_H
#define PL_EMIT_POSITION_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Raises an error unless b takes instructions. */
void pl_position_checkopen(lua_State *L, pl_funcobj *h, ph_block b);
/* The block of fn:at. */
ph_block pl_position_at(lua_State *L, pl_funcobj *h);

#pragma GCC visibility pop
#endif
