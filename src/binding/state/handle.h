/* handle.h: handles of blocks, variables, values and accesses; lists of them. */
#ifndef PL_STATE_HANDLE_H
#define PL_STATE_HANDLE_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Why a value is gone. */
#define PL_HANDLE_ERASED "it was erased or dropped"

/* What a message says of what is at `at` where a handle of `kind` belongs: "" or
** ": ...", what is likely to be meant; may be pushed. */
const char *pl_handle_hint(lua_State *L, const pl_funcobj *h, int at, int kind);
/* Raises an error if b is gone. */
_Noreturn void pl_handle_refusegone(lua_State *L, pl_funcobj *h, ph_block b);
static inline void pl_handle_checkblock(lua_State *L, pl_funcobj *h,
                                        ph_block b) {
  if (ph_block_isremoved(h->f, b)) pl_handle_refusegone(L, h, b);
}
/* The block or value that a method is called on; an error if it is gone. */
static inline ph_block pl_handle_block(lua_State *L, const pl_handle *me) {
  pl_handle_checkblock(L, me->owner, (ph_block){me->id});
  return (ph_block){me->id};
}
ph_value pl_handle_value(lua_State *L, const pl_handle *me);
/* What argument `arg` refers to, which may be gone; it must be of h. */
ph_block pl_handle_anyblock(lua_State *L, pl_funcobj *h, int arg);
/* What argument `arg` refers to; it must be of h, and not be gone. */
ph_block pl_handle_argblock(lua_State *L, pl_funcobj *h, int arg);
/* The same for the stack index `at`; `arg` is the argument that errors name. */
ph_block pl_handle_blockat(lua_State *L, pl_funcobj *h, int at, int arg);
ph_value pl_handle_valueat(lua_State *L, pl_funcobj *h, int at, int arg);
ph_value pl_handle_argvalue(lua_State *L, pl_funcobj *h, int arg);
ph_access pl_handle_accessat(lua_State *L, pl_funcobj *h, int at, int arg);
ph_var pl_handle_checkvar(lua_State *L, pl_funcobj *h, int arg);
static inline ph_var pl_handle_argvar(lua_State *L, pl_funcobj *h, int arg) {
  const pl_handle *a = pl_userdata_ownkind(L, h, arg, PL_KIND_VAR);
  if (a == NULL) return pl_handle_checkvar(L, h, arg);
  return (ph_var){a->id};
}
/* Checks the kind of element i of a list, at stack index `at`; `arg` is the
** argument, and `what` the word for an element of it, that errors name. */
void pl_handle_checkitem(lua_State *L, pl_funcobj *h, int arg, int at, int kind,
                         const char *what, uint32_t i);
/* The variable at index i of the list at stack index `list`. */
ph_var pl_handle_listvar(lua_State *L, pl_funcobj *h, int arg, int list,
                         const char *what, uint32_t i);
/* Pushes the function that is at `arg`, or that of the handle there; returns its
** index. */
int pl_handle_pushowner(lua_State *L, int arg);
/* Push the handle, nil for none; fn: stack index of the function. */
void pl_handle_pushblock(lua_State *L, int fn, ph_block b);
void pl_handle_pushvar(lua_State *L, int fn, ph_var var);
void pl_handle_pushvalue(lua_State *L, int fn, ph_value v);
/* Pushes the handle of that kind, nil for none; fn 0: argument 1 is the function
** or a handle of it. */
void pl_handle_give(lua_State *L, pl_funcobj *h, int fn, int kind, uint32_t id);
/* Pushes the handle, or nil if none exists; argument 1 is one of the same
** function. */
void pl_handle_find(lua_State *L, const pl_funcobj *h, int kind, uint32_t id);
/* Pushes a group, cursor or builder without an id (fn: as above). */
pl_handle *pl_handle_new(lua_State *L, pl_funcobj *h, int fn, int kind);
/* In two steps, as nothing may be allocated once the core has made the thing:
** pushes a handle that will be in the table of handles; gives `it`, at stack
** index `at`, its id. */
pl_handle *pl_handle_prepare(lua_State *L, pl_funcobj *h, int fn, int kind);
void pl_handle_settle(lua_State *L, pl_handle *it, int kind, int at,
                      uint32_t id);
/* The same for an id that may have a handle: that one replaces the one at `at`.
*/
void pl_handle_found(lua_State *L, pl_handle *it, int kind, int at,
                     uint32_t id);
/* Orders ids, and structs that hold nothing else; for qsort and bsearch. */
int pl_handle_byid(const void *p, const void *q);
/* Lists: gather ids in h->buf, then push a table of their handles. */
void pl_handle_start(pl_funcobj *h);
void pl_handle_gather(pl_funcobj *h, uint32_t id);
void pl_handle_pushlist(lua_State *L, pl_funcobj *h, int fn, int kind);
/* Pushes a table of the handles of the n ids in memory that starts at `at`;
** returns the end of it. */
const char *pl_handle_pushids(lua_State *L, pl_funcobj *h, int fn, int kind,
                              const char *at, uint32_t n);
/* Forgets all handles of a function that is being closed. */
void pl_handle_forget(pl_funcobj *h);

#pragma GCC visibility pop
#endif
