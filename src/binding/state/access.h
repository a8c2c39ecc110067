/* access.h: what a function may be used for now; begin and end of a change.
**
** `doing` is set before the core changes anything and cleared afterwards.  If
** the allocator jumps out in between, it stays set, which marks the function as
** broken.
*/
#ifndef PL_STATE_ACCESS_H
#define PL_STATE_ACCESS_H

#include "binding/state/memory.h"
#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Each of these returns the core's function, or raises an error if
**   pl_access_read    it is not usable
**   pl_access_change  nor while a callback runs
**   pl_access_open    nor while a callback runs, nor if it is finished or frozen
**   pl_access_edit    nor while a callback runs, nor unless it is finished
** The pl_access_refuse functions raise these errors. */
_Noreturn void pl_access_refuse(lua_State *L, pl_funcobj *h);
_Noreturn void pl_access_refusecallback(lua_State *L, pl_funcobj *h,
                                        const char *but);
static inline ph_func *pl_access_read(lua_State *L, pl_funcobj *h) {
  if (!pl_userdata_isusable(h)) pl_access_refuse(L, h);
  h->L = L;
  return h->f;
}
/* The same after anything that can make an object of Lua, since finalizers may
** have run: before h is used again.  Where h changes, the second call is that of
** pl_access_change, _open or _edit. */
static inline void pl_access_again(lua_State *L, pl_funcobj *h) {
  pl_access_read(L, h);
}
/* Raises an error if the module is closed. */
void pl_access_checkmodule(lua_State *L);
ph_func *pl_access_change(lua_State *L, pl_funcobj *h);
_Noreturn void pl_access_refuseopen(lua_State *L, pl_funcobj *h);
static inline ph_func *pl_access_open(lua_State *L, pl_funcobj *h) {
  ph_func *f = pl_access_read(L, h);
  if (h->now.in_callback || h->complete) pl_access_refuseopen(L, h);
  return f;
}
ph_func *pl_access_edit(lua_State *L, pl_funcobj *h);
/* Tells the runs that have the code of h, which is watched, that it may change
** (phial.core.watch).  Allocates nothing: no finalizer runs. */
void pl_access_tellruns(lua_State *L, pl_funcobj *h);
/* Raises an error unless h records reads and writes (option `accesses`). */
void pl_access_checkrecords(lua_State *L, pl_funcobj *h);
/* Updates `complete`: call it after what finishes or reopens the function. */
static inline void pl_access_notecomplete(pl_funcobj *h) {
  h->complete = ph_finish_isdone(h->f) || ph_finish_isfrozen(h->f);
}
/* Begin and end a change by the core.  If memory runs out in between, later
** calls name `doing` and b.  _endinner: for a change that records no place and
** can be part of a larger one, whose place it leaves alone. */
static inline void pl_access_begin(pl_funcobj *h, const char *doing,
                                   ph_block b) {
  h->now.block = b;
  h->now.doing = doing;
}
static inline void pl_access_endinner(pl_funcobj *h) { h->now.doing = NULL; }
void pl_access_clearplace(pl_funcobj *h);
static inline void pl_access_end(pl_funcobj *h) {
  if (h->places.is_set) pl_access_clearplace(h);
  pl_access_endinner(h);
}
/* The place of the caller; nowhere if the option `where` is false. */
ph_srcloc pl_access_caller(lua_State *L, pl_funcobj *h);
/* Records a place for what is made until pl_access_end; _placecaller: that of
** the caller; _placeeach: also for instructions, whatever the option `where`
** says, unless it is false; _here: if it asks for at least that much. */
void pl_access_place(pl_funcobj *h, ph_srcloc here);
void pl_access_placecaller(lua_State *L, pl_funcobj *h);
void pl_access_placeeach(lua_State *L, pl_funcobj *h);
static inline void pl_access_here(lua_State *L, pl_funcobj *h, pl_where least) {
  if (h->places.where >= least) pl_access_placecaller(L, h);
}
static inline void pl_access_beginhere(lua_State *L, pl_funcobj *h,
                                       const char *doing, ph_block b,
                                       pl_where least) {
  pl_access_begin(h, doing, b);
  pl_access_here(L, h, least);
}
/* Ends a call that has n results: passes events to the log functions and
** reports growth to the collector; returns n. */
int pl_access_flush(lua_State *L, pl_funcobj *h, int n);
static inline int pl_access_return(lua_State *L, pl_funcobj *h, int n) {
  if (h->has_log || h->memory.bytes - h->memory.reported > PL_MEMORY_GROWTH)
    return pl_access_flush(L, h, n);
  return n;
}
/* Ends a change, and the call that made it. */
static inline int pl_access_done(lua_State *L, pl_funcobj *h, int n) {
  pl_access_end(h);
  return pl_access_return(L, h, n);
}

#pragma GCC visibility pop
#endif
