/* cursor.h: positions between the instructions of a finished function. */
#ifndef PL_EMIT_CURSOR_H
#define PL_EMIT_CURSOR_H

#include "binding/emit/emission.h"
#pragma GCC visibility push(hidden)

/* Argument 1 of a method that blocks and cursors have: sets e->h, e->b,
** e->before, e->fn, e->spec and e->top; may leave a value on the stack. */
void pl_cursor_self(lua_State *L, pl_emission *e);
static inline void pl_cursor_start(lua_State *L, pl_emission *e) {
  const pl_handle *me;
  pl_emission_start(L, e);
  me = pl_userdata_peek(L, pl_userdata_module(L), 1, PL_UP_BLOCK);
  if (me == NULL) {
    pl_cursor_self(L, e);
    return;
  }
  e->h = me->owner;
  e->b.id = me->id;
}
/* Raises an error unless something can be emitted there. */
void pl_cursor_check(lua_State *L, pl_emission *e);
/* Raises an error unless the function can be changed there; to be called before
** any other argument is looked at. */
static inline void pl_cursor_enter(lua_State *L, pl_emission *e) {
  if (ph_some(e->before))
    pl_cursor_check(L, e);
  else
    pl_access_open(L, e->h);
}
/* The instruction that will follow one put before or after v. */
ph_value pl_cursor_before(lua_State *L, pl_funcobj *h, ph_value v);
ph_value pl_cursor_after(lua_State *L, pl_funcobj *h, ph_value v);

#pragma GCC visibility pop
#endif
