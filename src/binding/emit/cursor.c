/* cursor.c: places between the instructions of a finished function.
**
** A cursor is before an instruction and stays there when others are put in: so
** what is emitted at one cursor comes out in that order.  Its methods are those
** of blocks (emit.c, terminator.c); which of the two they were called on says
** `before` of an emission.
*/
#include "binding/emit/emit.h"
#include "binding/state/errors.h"
#include "binding/state/handle.h"
#include "binding/state/funcobj.h"

void ph_cursor_self(lua_State *L, ph_emission *e) {
  const ph_handle *me;
  lua_settop(L, e->top);
  me = ph_handle_test(L, 1, PH_UP_CURSOR);
  if (me == NULL) ph_handle_badself(L, PH_UP_BLOCK);
  e->h = me->host;
  e->b.id = 0;
  e->before.id = me->id;
}

void ph_cursor_check(lua_State *L, ph_emission *e) {
  ph_host *h = e->h;
  if (!ph_some(e->before)) {
    ph_host_open(L, h);
    ph_block_checkopen(L, h, e->b);
    return;
  }
  ph_host_edit(L, h);
  if (ph_ir_dropped(h->f, e->before))
    ph_fail(L, h,
            "the cursor has lost its place: the '%o' that it stood before is "
            "gone",
            ph_ir_op(h->f, e->before));
  e->b = ph_ir_blockof(h->f, e->before);
}

/*
** {== Places =========================================================
*/

static void check_inst(lua_State *L, ph_host *h, ph_value v) {
  if (!ph_some(ph_ir_blockof(h->f, v)))
    ph_fail(L, h, "'%v' is no instruction: it is in no block", v);
}

ph_value ph_cursor_before(lua_State *L, ph_host *h, ph_value v) {
  check_inst(L, h, v);
  if (ph_ir_op(h->f, v) == PH_PHI)
    ph_fail(L, h,
            "'%v' is a phi: nothing but phis can stand before it, behind it "
            "(v:after) is behind all phis of block '%b'",
            v, ph_ir_blockof(h->f, v));
  return v;
}

ph_value ph_cursor_after(lua_State *L, ph_host *h, ph_value v) {
  ph_block b = ph_ir_blockof(h->f, v);
  const ph_value none = {0};
  check_inst(L, h, v);
  if (ph_same(v, ph_ir_terminator(h->f, b)))
    ph_fail(L, h, "'%i' ends block '%b': nothing can stand behind it", v, b);
  return ph_ir_nextinst(h->f, b, ph_ir_op(h->f, v) == PH_PHI ? none : v);
}

/* Pushes a cursor without a place for the function of argument 1. */
static ph_handle *push(lua_State *L) {
  int fn = ph_handle_pushowner(L, 1);
  ph_handle *it = lua_newuserdatauv(L, sizeof *it, 1);
  it->host = lua_touserdata(L, fn);
  it->id = 0;
  lua_pushvalue(L, lua_upvalueindex(PH_UP_CURSOR));
  lua_setmetatable(L, -2);
  lua_pushvalue(L, fn);
  lua_setiuservalue(L, -2, 1);
  return it;
}

static int l_before(lua_State *L) {
  ph_handle *me = ph_handle_method(L, PH_UP_VALUE, 0, 0);
  ph_handle *it = push(L);
  ph_host_edit(L, me->host);
  it->id = ph_cursor_before(L, me->host, ph_handle_value(L, me)).id;
  return 1;
}

static int l_after(lua_State *L) {
  ph_handle *me = ph_handle_method(L, PH_UP_VALUE, 0, 0);
  ph_handle *it = push(L);
  ph_host_edit(L, me->host);
  it->id = ph_cursor_after(L, me->host, ph_handle_value(L, me)).id;
  return 1;
}

static int l_front(lua_State *L) {
  ph_handle *me = ph_handle_method(L, PH_UP_BLOCK, 0, 0);
  ph_handle *it = push(L);
  ph_func *f = ph_host_edit(L, me->host);
  it->id = ph_ir_nextinst(f, ph_handle_block(L, me), (ph_value){0}).id;
  return 1;
}

static int l_back(lua_State *L) {
  ph_handle *me = ph_handle_method(L, PH_UP_BLOCK, 0, 0);
  ph_handle *it = push(L);
  ph_func *f = ph_host_edit(L, me->host);
  it->id = ph_ir_terminator(f, ph_handle_block(L, me)).id;
  return 1;
}

static int l_terminator(lua_State *L) {
  ph_handle *me = ph_handle_method(L, PH_UP_BLOCK, 0, 0);
  ph_func *f = ph_host_look(L, me->host);
  ph_value v = ph_ir_terminator(f, ph_handle_block(L, me));
  if (ph_some(v))
    ph_handle_pushvalue(L, ph_handle_pushowner(L, 1), v);
  else
    lua_pushnil(L);
  return 1;
}

const luaL_Reg ph_cursor_valuemethods[] = {
    {"before", l_before}, {"after", l_after}, {NULL, NULL}};
const luaL_Reg ph_cursor_blockmethods[] = {{"front", l_front},
                                           {"back", l_back},
                                           {"terminator", l_terminator},
                                           {NULL, NULL}};

/* }== Cursors ======================================================== */

static int l_block(lua_State *L) {
  ph_emission e;
  ph_handle_method(L, PH_UP_CURSOR, 0, 0);
  ph_cursor_start(L, &e);
  ph_cursor_check(L, &e);
  ph_handle_pushblock(L, ph_handle_pushowner(L, 1), e.b);
  return 1;
}

static int l_tostring(lua_State *L) {
  ph_handle *me = ph_handle_self(L, PH_UP_CURSOR);
  ph_host *h = me->host;
  ph_value v = {me->id};
  if (h->closed || h->doing != NULL || h->collecting) {
    lua_pushliteral(L, "phial.Cursor");
    return 1;
  }
  h->L = L;
  h->buf.n = 0;
  if (ph_ir_dropped(h->f, v))
    ph_fail_say(L, h, "nowhere");
  else
    ph_fail_say(L, h, "before '%i' in block '%b'", v, ph_ir_blockof(h->f, v));
  lua_pushlstring(L, h->buf.at, h->buf.n);
  return 1;
}

const luaL_Reg ph_cursor_methods[] = {{"block", l_block}, {NULL, NULL}};
const luaL_Reg ph_cursor_meta[] = {{"__tostring", l_tostring}, {NULL, NULL}};

/* }=================================================================== */
