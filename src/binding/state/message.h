/* message.h: text about a function, composed in its buffer.
**
** A message becomes a Lua string at the very end: no Lua object is created
** while the function is being read, so no finalizer changes it.
*/
#ifndef PL_STATE_MESSAGE_H
#define PL_STATE_MESSAGE_H

#include <stdarg.h>

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Adds text to h->buf.  The letters of fmt, with the type of the argument (%p
** and %l begin with a blank; no other letters, and no %%, are known):
**   %s  const char *
**   %S  ph_str
**   %d  int
**   %b  ph_block   its name: "head"
**   %x  ph_var     its name: "i"
**   %v  ph_value   as an operand: "%8", "3"
**   %i  ph_value   as an instruction, in short: "%8 = add %4, %3"
**   %t  ph_type    its name: "i64"; none: "nothing"
**   %o  ph_op      its name: "add"
**   %p  ph_srcloc  the place in the host: " (at file:line)"; nowhere: ""
**   %l  ph_srcloc  the frontend's location: " @ file:line:col"; nowhere: ""
**   %g  int        the value at that stack index: "i1 '%c'", "1.5", "a string"
**   %w  int        the value or literal at that stack index: "%c", "1.5"
**   %f  -          the name of h */
void pl_message_add(lua_State *L, pl_funcobj *h, const char *fmt, ...);
void pl_message_addv(lua_State *L, pl_funcobj *h, const char *fmt, va_list *ap);

#pragma GCC visibility pop
#endif
