/* action_builder.h: the restricted builder that an action gets. */
#ifndef PL_RULES_ACTION_BUILDER_H
#define PL_RULES_ACTION_BUILDER_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Pushes the one for the action that runs; fn: stack index of the function. */
void pl_action_builder_push(lua_State *L, pl_funcobj *h, int fn);

#pragma GCC visibility pop
#endif
