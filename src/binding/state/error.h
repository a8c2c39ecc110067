/* error.h: errors, positioned at the first frame outside phial; protected
** calls.
**
** While a function is under construction, they end with the frontend's
** location, if fn:set_loc has set one: " @ file:line:col".
*/
#ifndef PL_STATE_ERROR_H
#define PL_STATE_ERROR_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Finds the first frame outside phial; false if none exists. */
bool pl_error_caller(lua_State *L, lua_Debug *ar);
/* Raise an error; fmt is that of lua_pushfstring.  The return type lets callers
** write `return pl_error...`; _plainarg: about argument `arg`. */
_Noreturn int pl_error_plain(lua_State *L, const char *fmt, ...);
_Noreturn int pl_error_plainarg(lua_State *L, int arg, const char *fmt, ...);
/* The same with the text on top, which may contain zeros. */
_Noreturn int pl_error_plaintop(lua_State *L);
/* The same about a method that cannot be called now: starts with its name, if
** it was not called by the facade. */
_Noreturn int pl_error_calling(lua_State *L, const char *fmt, ...);
/* Pushes what was found instead of something else: 1.5, "text", table. */
const char *pl_error_got(lua_State *L, int at);
/* The class of a handle or object, which it pushes, or the name of Lua's type. */
const char *pl_error_type(lua_State *L, int at);
/* Pushes the text of a value, for the arguments of these, and returns it: as
** luaL_tolstring, but a float is written as phial writes it, whatever the
** locale. */
const char *pl_error_tostring(lua_State *L, int at);
/* The same about the function h; fmt is that of message.h. */
_Noreturn int pl_error(lua_State *L, pl_funcobj *h, const char *fmt, ...);
_Noreturn int pl_error_arg(lua_State *L, pl_funcobj *h, int arg,
                           const char *fmt, ...);
/* Pushes "function 'f'", or "the function" if it has no name; it may be closed. */
const char *pl_error_pushname(lua_State *L, const pl_funcobj *h);
/* In parts; between them, pl_message_add.  _raiselist: a list with places of
** its own, which does not end with the frontend's location. */
void pl_error_start(lua_State *L, pl_funcobj *h);
_Noreturn int pl_error_raise(lua_State *L, pl_funcobj *h);
_Noreturn int pl_error_raiselist(lua_State *L, pl_funcobj *h);
/* Raises the text on top, an error that is not phial's own, with the position
** of the caller and the frontend's location. */
_Noreturn int pl_error_raiseforeign(lua_State *L, pl_funcobj *h);
/* Lua's sign for a metamethod of values: "+" for "__add"; returns other names
** unchanged. */
const char *pl_error_sign(const char *event);

/*
** {== Protected calls ================================================
*/

typedef int pl_protect_body(lua_State *L, void *ud);
/* Runs body(L, ud) in protected mode with the n values on top as arguments, and
** returns its status; leaves one result or the error.  Nothing is allocated
** outside of protected mode, so no finalizer runs there and no error gets past
** the caller. */
int pl_protect_run(lua_State *L, pl_protect_body *body, void *ud, int n);
/* True if the error on top is Lua's of a callback that has tried to yield. */
bool pl_protect_hasyielded(lua_State *L);
/* The Lua function that is called; it is a user value of the module. */
int pl_protect_callee(lua_State *L);

/* }=================================================================== */

#pragma GCC visibility pop
#endif
