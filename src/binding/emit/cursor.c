/* cursor.c: positions between the instructions of a finished function.
**
** A cursor stays before its instruction when others are inserted, so what is
** emitted at one cursor appears in that order.  It shares the methods of blocks
** that emit; the field `before` of an emission tells the two apart.
*/
#include "binding/emit/cursor.h"

#include "binding/emit/position.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/message.h"
#include "binding/state/method.h"

void pl_cursor_self(lua_State *L, pl_emission *e) {
  const pl_handle *me;
  lua_settop(L, e->top);
  me = pl_userdata_test(L, 1, PL_UP_CURSOR);
  if (me == NULL) pl_arg_badself(L, PL_UP_BLOCK);
  e->h = me->owner;
  e->b.id = 0;
  e->before.id = me->id;
}

void pl_cursor_check(lua_State *L, pl_emission *e) {
  pl_funcobj *h = e->h;
  if (!ph_some(e->before)) {
    pl_access_open(L, h);
    pl_position_checkopen(L, h, e->b);
    return;
  }
  pl_access_edit(L, h);
  if (ph_value_dropped(h->f, e->before))
    pl_error(L, h,
             "the cursor has lost its place: the '%o' that it preceded is "
             "gone",
             ph_value_op(h->f, e->before));
  e->b = ph_value_block(h->f, e->before);
}

/*
** {== Positions ======================================================
*/

static void check_inst(lua_State *L, pl_funcobj *h, ph_value v) {
  if (!ph_some(ph_value_block(h->f, v)))
    pl_error(L, h, "'%v' is not an instruction: it is in no block", v);
}

ph_value pl_cursor_before(lua_State *L, pl_funcobj *h, ph_value v) {
  check_inst(L, h, v);
  if (ph_value_op(h->f, v) == PH_PHI)
    pl_error(L, h,
             "'%v' is a phi: only phis can precede it; v:after() is behind all "
             "phis of block '%b'",
             v, ph_value_block(h->f, v));
  return v;
}

ph_value pl_cursor_after(lua_State *L, pl_funcobj *h, ph_value v) {
  ph_block b = ph_value_block(h->f, v);
  const ph_value none = {0};
  check_inst(L, h, v);
  if (ph_same(v, ph_block_terminator(h->f, b)))
    pl_error(L, h, "'%i' ends block '%b': nothing can follow it", v, b);
  return ph_block_nextinst(h->f, b, ph_value_op(h->f, v) == PH_PHI ? none : v);
}

/* Pushes a cursor without a position for the function of argument 1. */
static pl_handle *push(lua_State *L) {
  int fn = pl_handle_pushowner(L, 1);
  pl_handle *it = lua_newuserdatauv(L, sizeof *it, 1);
  it->owner = lua_touserdata(L, fn);
  it->id = it->tag = 0;
  pl_userdata_setkind(L, PL_UP_CURSOR);
  lua_pushvalue(L, fn);
  lua_setiuservalue(L, -2, 1);
  return it;
}

static int l_before(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_VALUE, 0, 0);
  pl_handle *it = push(L);
  pl_access_edit(L, me->owner);
  it->id = pl_cursor_before(L, me->owner, pl_handle_value(L, me)).id;
  return 1;
}

static int l_after(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_VALUE, 0, 0);
  pl_handle *it = push(L);
  pl_access_edit(L, me->owner);
  it->id = pl_cursor_after(L, me->owner, pl_handle_value(L, me)).id;
  return 1;
}

static int l_front(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_BLOCK, 0, 0);
  pl_handle *it = push(L);
  ph_func *f = pl_access_edit(L, me->owner);
  it->id = ph_block_nextinst(f, pl_handle_block(L, me), (ph_value){0}).id;
  return 1;
}

static int l_back(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_BLOCK, 0, 0);
  pl_handle *it = push(L);
  ph_func *f = pl_access_edit(L, me->owner);
  it->id = ph_block_terminator(f, pl_handle_block(L, me)).id;
  return 1;
}

static int l_terminator(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_BLOCK, 0, 0);
  ph_func *f = pl_access_read(L, me->owner);
  ph_block b = {me->id};
  ph_value v = {0};
  if (!ph_block_removed(f, b)) v = ph_block_terminator(f, b);
  if (ph_some(v))
    pl_handle_pushvalue(L, pl_handle_pushowner(L, 1), v);
  else
    lua_pushnil(L);
  return 1;
}

/* }== Cursors ======================================================== */

static int l_block(lua_State *L) {
  pl_emission e;
  pl_arg_method(L, PL_UP_CURSOR, 0, 0);
  pl_cursor_start(L, &e);
  pl_cursor_check(L, &e);
  pl_handle_pushblock(L, pl_handle_pushowner(L, 1), e.b);
  return 1;
}

static int l_tostring(lua_State *L) {
  pl_handle *me = pl_arg_self(L, PL_UP_CURSOR);
  pl_funcobj *h = me->owner;
  ph_value v = {me->id};
  if (!pl_userdata_isusable(h)) {
    lua_pushliteral(L, "phial.Cursor");
    return 1;
  }
  h->L = L;
  h->buf.n = 0;
  if (ph_value_dropped(h->f, v))
    pl_message_add(L, h, "nowhere");
  else
    pl_message_add(L, h, "before '%i' in block '%b'", v,
                   ph_value_block(h->f, v));
  lua_pushlstring(L, h->buf.at, h->buf.n);
  return 1;
}

/* }=================================================================== */

const pl_method pl_cursor_methods[] = {
    {PL_OF_VALUE, "before", l_before},         {PL_OF_VALUE, "after", l_after},
    {PL_OF_BLOCK, "front", l_front},           {PL_OF_BLOCK, "back", l_back},
    {PL_OF_BLOCK, "terminator", l_terminator}, {PL_OF_CURSOR, "block", l_block},
    {PL_OF_CURSOR, "__tostring", l_tostring},  {0},
};
