/* read.h: reading variables; the undef function, which defines what is read
** without a definition.
*/
#ifndef PL_ARGS_READ_H
#define PL_ARGS_READ_H

#include "binding/state/access.h"
#include "binding/state/handle.h"
#pragma GCC visibility push(hidden)

/* After a call that can read: calls the undef function (fn: stack index of the
** function) for each variable that waits for a definition. */
void pl_undef_settle(lua_State *L, pl_funcobj *h, int fn);

/* In a body of phial.build: gives a place to the reads that have been recorded
** since; the others need none. */
void pl_undef_place(lua_State *L, pl_funcobj *h);

/* Begin and end reads in b; the end also serves other changes that can read.
** There the undef function, if any, is called for variables without a
** definition; fn: stack index of the function, 0: it is that of argument 1, and
** is pushed if it is needed. */
static inline void pl_read_begin(lua_State *L, pl_funcobj *h, ph_block b) {
  pl_access_beginhere(L, h, "reading in", b,
                      h->undef_policy == PL_UNDEF_ERROR ? PL_WHERE_BLOCKS
                                                        : PL_WHERE_ALL);
}
static inline void pl_read_end(lua_State *L, pl_funcobj *h, int fn) {
  if (h->undef_policy == PL_UNDEF_UNWRITTEN) pl_undef_place(L, h);
  pl_access_end(h);
  if (h->undef_policy == PL_UNDEF_CALL)
    pl_undef_settle(L, h, fn != 0 ? fn : pl_handle_pushowner(L, 1));
}

#pragma GCC visibility pop
#endif
