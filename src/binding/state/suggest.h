/* suggest.h: what somebody is likely to have meant by an unknown name. */
#ifndef PL_STATE_SUGGEST_H
#define PL_STATE_SUGGEST_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Pushes ": did you mean 'add'?" about the unknown op `name`, or "" if no op
** resembles it; returns the text. */
const char *pl_suggest_op(lua_State *L, pl_funcobj *h, ph_str name);
/* The __index of a table of methods: raises that the method does not exist.
** Its own name is that of the kind. */
int pl_suggest_method(lua_State *L);

#pragma GCC visibility pop
#endif
