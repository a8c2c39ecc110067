/* cursor.h: where instructions can be put: at the end of a block, or between
** the instructions of a finished function.
*/
#ifndef PL_EMIT_CURSOR_H
#define PL_EMIT_CURSOR_H

#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/handle.h"
#pragma GCC visibility push(hidden)

/* Raises an error unless instructions can be put at the end of b. */
void pl_cursor_checkend(lua_State *L, pl_funcobj *h, ph_block b);
/* The current block of an open function, where what its methods and values emit
** goes; an error if none is, or if it has a terminator. */
_Noreturn void pl_cursor_refusecurrent(lua_State *L, pl_funcobj *h);
static inline ph_block pl_cursor_current(lua_State *L, pl_funcobj *h) {
  ph_block b = h->current;
  if (!ph_some(b) || ph_block_isremoved(h->f, b) || ph_block_isfilled(h->f, b))
    pl_cursor_refusecurrent(L, h);
  return b;
}
/* Takes self, a block or a function, whose current block it is; the function,
** which must be open, is stored in *h.  Leaves a value above `top` arguments, of
** which at least `least` and at most `most` are expected. */
void pl_cursor_refuseself(lua_State *L, int top, int least, int most);
static inline ph_block pl_cursor_self(lua_State *L, pl_funcobj **h, int top,
                                      int least, int most) {
  const void *const *kinds = pl_userdata_module(L)->kinds;
  const void *kind = pl_userdata_peekmeta(L, 1);
  void *me = lua_touserdata(L, 1);
  if ((kind != kinds[PL_KIND_BLOCK] && kind != kinds[PL_KIND_FUNC]) ||
      top <= least || (most >= 0 && top > most + 1))
    pl_cursor_refuseself(L, top, least, most);
  *h = kind == kinds[PL_KIND_FUNC] ? me : ((pl_handle *)me)->owner;
  pl_access_open(L, *h);
  return me == *h ? pl_cursor_current(L, *h) : pl_handle_block(L, me);
}
/* Raises an error unless v is in a block. */
void pl_cursor_checkinst(lua_State *L, pl_funcobj *h, ph_value v);
/* The block of the instruction that a cursor precedes. */
ph_block pl_cursor_block(lua_State *L, pl_funcobj *h, ph_value before);
/* The instruction that will follow one put before or after v. */
ph_value pl_cursor_before(lua_State *L, pl_funcobj *h, ph_value v);
ph_value pl_cursor_after(lua_State *L, pl_funcobj *h, ph_value v);

#pragma GCC visibility pop
#endif
