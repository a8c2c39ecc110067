/* srcloc.h: source locations as fields of a table. */
#ifndef PL_STATE_SRCLOC_H
#define PL_STATE_SRCLOC_H

#include "binding/state/userdata.h"

/* Set a field of the table on top, unless loc is nowhere:
** place = "file:line", loc = {line =, col =, file =}. */
void pl_srcloc_setplace(lua_State *L, pl_funcobj *h, ph_srcloc loc);
void pl_srcloc_setloc(lua_State *L, pl_funcobj *h, ph_srcloc loc);

#endif
