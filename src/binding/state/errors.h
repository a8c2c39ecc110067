/* fail.h: errors. */
#ifndef PH_BINDING_FAIL_H
#define PH_BINDING_FAIL_H

#include "binding/state/funcobj.h"

/* Where the first frame outside phial is; false: there is none. */
bool ph_fail_caller(lua_State *L, lua_Debug *ar);
/* Raises, positioned there.  Plain: as lua_pushfstring. */
int ph_fail_plain(lua_State *L, const char *fmt, ...);
int ph_fail_plainarg(lua_State *L, int arg, const char *fmt, ...);
/* The same about a function; fmt knows
**   %s string   %d int   %S ph_str   %b block   %v value   %x variable
**   %t type     %o op    %i value as instruction
**   %p place " (at file:line)"   %l place " @ line:col"
**   %g argument as found   %f the function's name  */
int ph_fail(lua_State *L, ph_host *h, const char *fmt, ...);
int ph_fail_arg(lua_State *L, ph_host *h, int arg, const char *fmt, ...);
/* In parts. */
void ph_fail_start(lua_State *L, ph_host *h);
void ph_fail_say(lua_State *L, ph_host *h, const char *fmt, ...);
int ph_fail_raise(lua_State *L, ph_host *h);
/* phial.core.rock: where the facade's own files lie. */
int ph_fail_setrock(lua_State *L);

#endif
