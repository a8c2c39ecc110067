/* handle.h: handles of blocks, variables, values; of lists of them. */
#ifndef PL_STATE_HANDLE_H
#define PL_STATE_HANDLE_H

#include "binding/state/userdata.h"

/* The block, value of a method, which is there still. */
ph_block pl_handle_block(lua_State *L, const pl_handle *me);
ph_value pl_handle_value(lua_State *L, const pl_handle *me);
/* Argument `arg`: a handle of the same function, of something there. */
ph_block pl_handle_argblock(lua_State *L, pl_funcobj *h, int arg);
/* The same for what came with argument `arg` and lies at `at`. */
ph_block pl_handle_blockat(lua_State *L, pl_funcobj *h, int at, int arg);
ph_value pl_handle_valueat(lua_State *L, pl_funcobj *h, int at, int arg);
ph_value pl_handle_argvalue(lua_State *L, pl_funcobj *h, int arg);
ph_var pl_handle_checkvar(lua_State *L, pl_funcobj *h, int arg);
/* Leaves a value on the stack. */
static inline ph_var pl_handle_argvar(lua_State *L, pl_funcobj *h, int arg) {
  const pl_handle *a = pl_userdata_peek(L, h->module, arg, PL_UP_VAR);
  if (a == NULL || a->owner != h) return pl_handle_checkvar(L, h, arg);
  return (ph_var){a->id};
}
/* Pushes the function of the handle at `arg`; returns its index. */
int pl_handle_pushowner(lua_State *L, int arg);
/* Pushes the handle; fn: index of the function. */
void pl_handle_pushblock(lua_State *L, int fn, ph_block b);
void pl_handle_pushvar(lua_State *L, int fn, ph_var var);
void pl_handle_pushvalue(lua_State *L, int fn, ph_value v);
/* Pushes the handle of that kind; fn 0: argument 1 is a handle of the same
** function. */
void pl_handle_give(lua_State *L, pl_funcobj *h, int fn, int kind, uint32_t id);
/* Pushes the handle, or nil when there is none; argument 1 is one of the same
** function. */
void pl_handle_find(lua_State *L, const pl_funcobj *h, int kind, uint32_t id);
/* Pushes a handle for what is still to be made (fn: as above); gives the one
** at `at`, which is `it`, its id then. */
pl_handle *pl_handle_prepare(lua_State *L, pl_funcobj *h, int fn, int kind);
void pl_handle_settle(lua_State *L, pl_handle *it, int kind, int at,
                      uint32_t id);
/* The same for what may be there already: then its own handle replaces it. */
void pl_handle_found(lua_State *L, pl_handle *it, int kind, int at,
                     uint32_t id);
/* Lists: gather ids, then push them all as a table of handles. */
void pl_handle_start(pl_funcobj *h);
void pl_handle_gather(pl_funcobj *h, uint32_t id);
void pl_handle_pushlist(lua_State *L, pl_funcobj *h, int fn, int kind);

#endif
