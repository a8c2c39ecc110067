/* payload.c: the Lua value that an instruction carries.
**
** The core holds what it can print.  A table, function, userdata or thread is
** hosted: it is stored in the function's table of PL_ITS_KEPT, and the core
** holds its index there.
*/
#include "binding/args/payload.h"

#include <string.h>

#include "binding/args/literal.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

static bool is_hosted(int type) {
  return type != LUA_TNIL && type != LUA_TBOOLEAN && type != LUA_TNUMBER &&
         type != LUA_TSTRING;
}

/* True for what can be called, and for its name; not for values of a function.
*/
static bool is_callee(lua_State *L, int arg) {
  int type = lua_type(L, arg);
  if (type == LUA_TUSERDATA)
    return pl_userdata_test(L, arg, PL_UP_BLOCK) == NULL &&
           pl_userdata_test(L, arg, PL_UP_VAR) == NULL &&
           pl_userdata_test(L, arg, PL_UP_VALUE) == NULL;
  return type == LUA_TFUNCTION || type == LUA_TSTRING || type == LUA_TTABLE;
}

void pl_payload_checkcallee(lua_State *L, pl_funcobj *h, int arg) {
  if (!is_callee(L, arg))
    pl_error_arg(L, h, arg, "callee expected: a function or a name, got %g",
                 arg);
}

void pl_payload_keep(lua_State *L, pl_funcobj *h, int fn, int arg) {
  if (!is_hosted(lua_type(L, arg))) return;
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  lua_pushvalue(L, arg);
  lua_rawseti(L, -2, h->nkept + 1);
  lua_pop(L, 1);
}

static ph_data float_data(double d) {
  ph_data data = {0, PH_DATA_FLOAT};
  memcpy(&data.bits, &d, sizeof d);
  return data;
}

ph_data pl_payload_of(lua_State *L, pl_funcobj *h, int arg) {
  ph_str s;
  switch (lua_type(L, arg)) {
    case LUA_TNIL:
      return (ph_data){0, PH_DATA_NONE};
    case LUA_TBOOLEAN:
      return (ph_data){(uint64_t)lua_toboolean(L, arg), PH_DATA_BOOL};
    case LUA_TNUMBER:
      if (!lua_isinteger(L, arg)) return float_data(lua_tonumber(L, arg));
      return (ph_data){(uint64_t)lua_tointeger(L, arg), PH_DATA_INT};
    case LUA_TSTRING:
      s.at = lua_tolstring(L, arg, &s.n);
      return (ph_data){ph_intern_add(h->f, s), PH_DATA_STR};
    default:
      return (ph_data){++h->nkept, PH_DATA_HOST};
  }
}

/* Pushes the Lua value of the datum. */
static void push(lua_State *L, pl_funcobj *h, int fn, ph_data data) {
  if (data.tag == PH_DATA_HOST) { /* parsed text can have any index */
    lua_getiuservalue(L, fn, PL_ITS_KEPT);
    if (data.bits <= h->nkept)
      lua_rawgeti(L, -1, (lua_Integer)data.bits);
    else
      lua_pushnil(L);
    lua_remove(L, -2);
  } else {
    pl_literal_push(L, h->f, PH_ANY, data);
  }
}

/* False for phis and copies, and for constants and parameters, whose data are
** the core's. */
static bool has_data(pl_funcobj *h, ph_value v) {
  ph_op op = ph_value_op(h->f, v);
  return op != PH_PHI && op != PH_COPY && !(ph_op_flags(h->f, op) & PH_LEAF);
}

/* Replaces the present datum in its table, if both are hosted. */
static bool reuse(lua_State *L, pl_funcobj *h, int fn, ph_value v) {
  ph_data old = ph_value_data(h->f, v);
  if (old.tag != PH_DATA_HOST || old.bits > h->nkept ||
      !is_hosted(lua_type(L, 2)))
    return false;
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, (lua_Integer)old.bits);
  h->nchanges++;
  return true;
}

static int set_data(lua_State *L, pl_funcobj *h, int fn, ph_value v) {
  pl_access_change(L, h);
  if (!has_data(h, v) || ph_value_op(h->f, v) == PH_PROJ)
    pl_error(L, h, "'%i' cannot be given data", v);
  if (ph_value_op(h->f, v) == PH_CALL) pl_payload_checkcallee(L, h, 2);
  if (reuse(L, h, fn, v)) return 0;
  pl_payload_keep(L, h, fn, 2);
  pl_access_begin(h, "setting data in", ph_value_block(h->f, v));
  ph_value_setdata(h->f, v, pl_payload_of(L, h, 2));
  pl_access_end(h);
  return pl_access_return(L, h, 0);
}

static int l_data(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_VALUE, 0, 1);
  int fn;
  ph_value v;
  fn = pl_handle_pushowner(L, 1);
  pl_access_read(L, me->owner);
  v = pl_handle_value(L, me);
  if (fn == 3) return set_data(L, me->owner, fn, v);
  if (has_data(me->owner, v))
    push(L, me->owner, fn, ph_value_data(me->owner->f, v));
  else
    lua_pushnil(L);
  return 1;
}

const pl_method pl_payload_methods[] = {
    {PL_OF_VALUE, "data", l_data},
    {0},
};
