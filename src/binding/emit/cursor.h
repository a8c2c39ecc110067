/* cursor.h: where instructions can be put: at the end of a block, or between
** the instructions of a finished function.
*/
#ifndef PL_EMIT_CURSOR_H
#define PL_EMIT_CURSOR_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Raises an error unless instructions can be put at the end of b. */
void pl_cursor_checkend(lua_State *L, pl_funcobj *h, ph_block b);
/* The current block, that of fn:at. */
ph_block pl_cursor_current(lua_State *L, pl_funcobj *h);
/* The block of the instruction that a cursor precedes. */
ph_block pl_cursor_block(lua_State *L, pl_funcobj *h, ph_value before);
/* The instruction that will follow one put before or after v. */
ph_value pl_cursor_before(lua_State *L, pl_funcobj *h, ph_value v);
ph_value pl_cursor_after(lua_State *L, pl_funcobj *h, ph_value v);

#pragma GCC visibility pop
#endif
