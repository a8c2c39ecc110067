/* cursor.c: where instructions can be put: at the end of a block, or between
** the instructions of a finished function.
**
** A cursor stays before its instruction when others are inserted, so what is
** emitted at one cursor appears in that order.  It shares the methods of blocks
** that emit.
*/
#include "binding/emit/cursor.h"

#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/message.h"
#include "binding/state/method.h"

/*
** {== Positions ======================================================
*/

void pl_cursor_checkend(lua_State *L, pl_funcobj *h, ph_block b) {
  pl_handle_checkblock(L, h, b);
  if (ph_block_isfilled(h->f, b))
    pl_error(L, h,
             "block '%b' already ends with '%i'%p: nothing can be added after "
             "it (if its operands have led to another block, emit by the "
             "methods of fn: see fn:set_current)",
             b, ph_block_terminator(h->f, b),
             ph_block_hostloc(h->f, b, PH_AT_FILLED));
}

void pl_cursor_refusecurrent(lua_State *L, pl_funcobj *h) {
  ph_block b = h->current;
  if (!ph_some(b))
    pl_error(L, h,
             "function '%f' has no current block: fn:set_current(block) says "
             "where its methods and operators emit");
  pl_handle_checkblock(L, h, b);
  pl_error(L, h,
           "the current block '%b' already ends with '%i'%p: "
           "fn:set_current(block) says where to go on",
           b, ph_block_terminator(h->f, b),
           ph_block_hostloc(h->f, b, PH_AT_FILLED));
}

void pl_cursor_refuseself(lua_State *L, int top, int least, int most) {
  lua_settop(L, top);
  if (pl_userdata_test(L, 1, PL_KIND_BLOCK) == NULL &&
      pl_userdata_test(L, 1, PL_KIND_FUNC) == NULL)
    pl_arg_badself(L, PL_KIND_BLOCK);
  pl_arg_count(L, least, most);
}

ph_block pl_cursor_block(lua_State *L, pl_funcobj *h, ph_value before) {
  if (ph_value_isdropped(h->f, before))
    pl_error(L, h,
             "the cursor has lost its place: the '%o' that it preceded is "
             "gone",
             ph_value_op(h->f, before));
  return ph_value_block(h->f, before);
}

void pl_cursor_checkinst(lua_State *L, pl_funcobj *h, ph_value v) {
  if (!ph_some(ph_value_block(h->f, v)))
    pl_error(L, h, "'%v' is not an instruction: it is in no block", v);
}

ph_value pl_cursor_before(lua_State *L, pl_funcobj *h, ph_value v) {
  pl_cursor_checkinst(L, h, v);
  if (ph_value_op(h->f, v) == PH_PHI)
    pl_error(L, h,
             "'%v' is a phi: only phis can precede it; v:after() is the place "
             "after all phis of block '%b'",
             v, ph_value_block(h->f, v));
  return v;
}

ph_value pl_cursor_after(lua_State *L, pl_funcobj *h, ph_value v) {
  ph_block b = ph_value_block(h->f, v);
  const ph_value none = {0};
  pl_cursor_checkinst(L, h, v);
  if (ph_same(v, ph_block_terminator(h->f, b)))
    pl_error(L, h, "'%i' ends block '%b': nothing can follow it", v, b);
  return ph_block_nextinst(h->f, b, ph_value_op(h->f, v) == PH_PHI ? none : v);
}

/* Pushes a cursor without a position; self is `me`, whose function can be
** edited. */
static pl_handle *push_cursor(lua_State *L, const pl_handle *me) {
  pl_handle *it = pl_handle_new(L, me->owner, 0, PL_KIND_CURSOR);
  pl_access_edit(L, me->owner);
  return it;
}

static int l_before(lua_State *L) {
  pl_handle *me = pl_arg_only(L, PL_KIND_VALUE), *it = push_cursor(L, me);
  it->id = pl_cursor_before(L, me->owner, pl_handle_value(L, me)).id;
  return 1;
}

static int l_after(lua_State *L) {
  pl_handle *me = pl_arg_only(L, PL_KIND_VALUE), *it = push_cursor(L, me);
  it->id = pl_cursor_after(L, me->owner, pl_handle_value(L, me)).id;
  return 1;
}

static int l_front(lua_State *L) {
  pl_handle *me = pl_arg_only(L, PL_KIND_BLOCK), *it = push_cursor(L, me);
  ph_block b = pl_handle_block(L, me);
  it->id = ph_block_nextinst(me->owner->f, b, (ph_value){0}).id;
  return 1;
}

static int l_back(lua_State *L) {
  pl_handle *me = pl_arg_only(L, PL_KIND_BLOCK), *it = push_cursor(L, me);
  it->id = ph_block_terminator(me->owner->f, pl_handle_block(L, me)).id;
  return 1;
}

/* }== Cursors ======================================================== */

static int l_block(lua_State *L) {
  const pl_handle *me = pl_arg_only(L, PL_KIND_CURSOR);
  pl_access_edit(L, me->owner);
  pl_handle_give(L, me->owner, 0, PL_KIND_BLOCK,
                 pl_cursor_block(L, me->owner, (ph_value){me->id}).id);
  return 1;
}

static int l_tostring(lua_State *L) {
  pl_handle *me = pl_arg_self(L, PL_KIND_CURSOR);
  pl_funcobj *h = me->owner;
  ph_value v = {me->id};
  if (!pl_userdata_isusable(h)) {
    lua_pushliteral(L, "phial.Cursor");
    return 1;
  }
  h->L = L;
  h->buf.n = 0;
  if (ph_value_isdropped(h->f, v))
    pl_message_add(L, h, "nowhere");
  else
    pl_message_add(L, h, "before '%i' in block '%b'", v,
                   ph_value_block(h->f, v));
  lua_pushlstring(L, h->buf.at, h->buf.n);
  return 1;
}

/* }=================================================================== */

const pl_method pl_cursor_methods[] = {
    {PL_OF_VALUE, "before", l_before},
    {PL_OF_VALUE, "after", l_after},
    {PL_OF_BLOCK, "front", l_front},
    {PL_OF_BLOCK, "back", l_back},
    {PL_OF_CURSOR, "block", l_block},
    {PL_OF_CURSOR, "__tostring", l_tostring},
    {0},
};
