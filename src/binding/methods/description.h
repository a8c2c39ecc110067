/* description.h: what texts say of data that only Lua knows. */
#ifndef PL_METHODS_DESCRIPTION_H
#define PL_METHODS_DESCRIPTION_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Texts of h (fn: its stack index) that are printed until pl_description_end
** have comments: what the field `describe` of the op says of the data, or the
** data's __tostring.  Calls them now; their errors become "?".  Pushes a value
** that must stay on the stack until then. */
void pl_description_begin(lua_State *L, pl_funcobj *h, int fn);
void pl_description_end(pl_funcobj *h);

#pragma GCC visibility pop
#endif
