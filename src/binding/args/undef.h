/* undef.h: the undef function, which defines what is read without a definition.
*/
#ifndef PL_ARGS_UNDEF_H
#define PL_ARGS_UNDEF_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* After a call that can read: calls the undef function (fn: stack index of the
** function) for each variable that waits for a definition. */
void pl_undef_settle(lua_State *L, pl_funcobj *h, int fn);

#pragma GCC visibility pop
#endif
