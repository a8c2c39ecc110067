/* error.h: errors. */
#ifndef PL_STATE_ERROR_H
#define PL_STATE_ERROR_H

#include "binding/state/userdata.h"

/* Where the first frame outside phial is; false: there is none. */
bool pl_error_caller(lua_State *L, lua_Debug *ar);
/* Raises, positioned there.  Plain: as lua_pushfstring. */
int pl_error_plain(lua_State *L, const char *fmt, ...);
int pl_error_plainarg(lua_State *L, int arg, const char *fmt, ...);
/* The same about a function; fmt knows
**   %s string   %d int   %S ph_str   %b block   %v value   %x variable
**   %t type     %o op    %i value as instruction
**   %p place " (at file:line)"   %l place " @ line:col"
**   %g argument as found   %f the function's name  */
int pl_error(lua_State *L, pl_funcobj *h, const char *fmt, ...);
int pl_error_arg(lua_State *L, pl_funcobj *h, int arg, const char *fmt, ...);
/* In parts. */
void pl_error_start(lua_State *L, pl_funcobj *h);
void pl_error_say(lua_State *L, pl_funcobj *h, const char *fmt, ...);
int pl_error_raise(lua_State *L, pl_funcobj *h);
/* What is written for a metamethod of values: "+" for "__add"; other names as
** they are. */
const char *pl_error_sign(const char *event);

#endif
