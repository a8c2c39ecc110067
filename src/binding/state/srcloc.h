/* srcloc.h: source locations as arguments, results and fields of a table. */
#ifndef PL_STATE_SRCLOC_H
#define PL_STATE_SRCLOC_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Takes line, column, file, line and column of the end at stack indices 2 to 6,
** all optional.  The file is not interned yet. */
ph_srcloc pl_srcloc_take(lua_State *L, ph_str *file);
/* Pushes line, column, file and, if it is known, line and column of the end;
** nil if loc is nowhere.  Returns the number of results. */
int pl_srcloc_push(lua_State *L, pl_funcobj *h, ph_srcloc loc);
/* Pushes {line =, col =, end_line =, end_col =}, with what is known. */
void pl_srcloc_pushtable(lua_State *L, ph_srcloc loc);
/* Pushes "file:line", or nil if loc is nowhere; returns 1. */
int pl_srcloc_pushplace(lua_State *L, pl_funcobj *h, ph_srcloc loc);
/* Set a field of the table on top, unless loc is nowhere:
** place = "file:line", loc = {line =, col =, file =, ...}. */
void pl_srcloc_setplace(lua_State *L, pl_funcobj *h, ph_srcloc loc);
void pl_srcloc_setloc(lua_State *L, pl_funcobj *h, ph_srcloc loc);

#pragma GCC visibility pop
#endif
