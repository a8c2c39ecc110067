/* callee.h: what a call calls: a function, its name, or anything of Lua that
** can be called.
*/
#ifndef PL_ARGS_CALLEE_H
#define PL_ARGS_CALLEE_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Checks that the Lua value at `arg` can be called. */
void pl_callee_check(lua_State *L, pl_funcobj *h, int arg);
/* Returns the stack index of what the callee at `arg` means: for a name that
** the module of h (fn: its stack index) knows, the function of that name, which
** is pushed; otherwise arg. */
int pl_callee_resolve(lua_State *L, pl_funcobj *h, int fn, int arg);
/* The function at `at`, if its parameters and result are known; or NULL. */
const pl_funcobj *pl_callee_signature(lua_State *L, int at);
/* Returns the type of h that is `type` of c; PH_NOTYPE if h does not have its
** dialect. */
ph_type pl_callee_type(const pl_funcobj *h, const pl_funcobj *c, ph_type type);
/* Returns the type of parameter i of c, from 0, in h; PH_NOTYPE: any fits. */
ph_type pl_callee_wants(const pl_funcobj *h, const pl_funcobj *c, int i);

#pragma GCC visibility pop
#endif
