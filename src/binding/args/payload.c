/* payload.c: the Lua value that an instruction carries.
**
** The core holds what it can print.  A table, function, userdata or thread is
** hosted: it is stored in the function's table of PL_ITS_KEPT, and the core
** holds its index there.
*/
#include "binding/args/payload.h"

#include <string.h>

#include "binding/args/callee.h"
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

static bool is_global(lua_State *L, int arg) {
  bool same;
  if (lua_type(L, arg) != LUA_TTABLE ||
      luaL_getmetafield(L, arg, "__name") == LUA_TNIL)
    return false;
  lua_pushliteral(L, "phial.Global");
  same = lua_rawequal(L, -1, -2);
  lua_pop(L, 2);
  return same;
}

void pl_payload_checkaddress(lua_State *L, pl_funcobj *h, int arg) {
  if (lua_type(L, arg) == LUA_TSTRING || is_global(L, arg)) return;
  if (pl_userdata_kind(L, h->module, arg, PL_UP_FUNC) == NULL)
    pl_error_arg(L, h, arg, "global, function or name expected, got %g", arg);
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

/* Pushes what the function keeps under that number; parsed text can have any.
*/
static void push_kept(lua_State *L, const pl_funcobj *h, int fn, uint64_t i) {
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  if (i <= h->nkept)
    lua_rawgeti(L, -1, (lua_Integer)i);
  else
    lua_pushnil(L);
  lua_remove(L, -2);
}

/* Pushes the Lua value of the datum. */
static void push(lua_State *L, pl_funcobj *h, int fn, ph_data data) {
  if (data.tag == PH_DATA_HOST)
    push_kept(L, h, fn, data.bits);
  else if (data.tag == PH_DATA_SYMBOL)
    push_kept(L, h, fn, data.bits >> 32);
  else
    pl_literal_push(L, h->f, PH_ANY, data);
}

/*
** {== Symbols ========================================================
**
** A thing that has a name is kept once: its table has the number of the thing
** under the thing itself.
*/

/* Pushes the name of the Lua function at `at`, as Lua's error messages have it,
** or its place. */
static void push_function_name(lua_State *L, int at) {
  lua_Debug ar;
  lua_pushvalue(L, at);
  lua_getinfo(L, ">S", &ar);
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
    if (lua_type(L, -2) != LUA_TSTRING || !lua_istable(L, -1)) continue;
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
      if (lua_type(L, -2) != LUA_TSTRING || !lua_rawequal(L, -1, at)) continue;
      if (strcmp(lua_tostring(L, -4), LUA_GNAME) == 0)
        lua_pushvalue(L, -2);
      else
        lua_pushfstring(L, "%s.%s", lua_tostring(L, -4), lua_tostring(L, -2));
      return;
    }
  }
  if (*ar.what == 'C')
    lua_pushliteral(L, "C function");
  else
    lua_pushfstring(L, "%s:%d", ar.short_src, ar.linedefined);
}

static void push_function_symbol(lua_State *L, const pl_funcobj *h) {
  ph_str name = {"", 0};
  if (pl_userdata_isusable(h)) name = ph_func_name(h->f);
  lua_pushlstring(L, name.at, name.n);
}

/* Pushes the name of the thing at `at`. */
static void push_name(lua_State *L, int at) {
  const pl_funcobj *h = pl_userdata_test(L, at, PL_UP_FUNC);
  if (h != NULL)
    push_function_symbol(L, h);
  else if (lua_isfunction(L, at))
    push_function_name(L, at);
  else if (luaL_getmetafield(L, at, "__symbol") == LUA_TFUNCTION) {
    lua_pushvalue(L, at);
    lua_call(L, 1, 1);
    if (lua_type(L, -1) != LUA_TSTRING) lua_pushliteral(L, "?");
  } else {
    lua_pushstring(L, luaL_typename(L, at));
  }
}

/* Returns the number that the thing at `at` has in the table on top, or 0. */
static lua_Integer number_of(lua_State *L, const pl_funcobj *h, int at) {
  lua_Integer i;
  bool is_it;
  lua_pushvalue(L, at);
  lua_rawget(L, -2);
  i = lua_tointeger(L, -1);
  lua_rawgeti(L, -2, i);
  is_it = i > 0 && i <= h->nkept && lua_rawequal(L, -1, at);
  lua_pop(L, 2);
  return is_it ? i : 0;
}

pl_symbol pl_payload_keepsymbol(lua_State *L, pl_funcobj *h, int fn, int arg) {
  pl_symbol s = {arg, arg, 0};
  if (lua_type(L, arg) == LUA_TSTRING) return s;
  luaL_checkstack(L, 16, NULL);
  push_name(L, arg);
  s.name = lua_gettop(L);
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  s.number = number_of(L, h, arg);
  if (s.number == 0) {
    lua_pushvalue(L, arg);
    lua_rawseti(L, -2, h->nkept + 1);
    lua_pushvalue(L, arg);
    lua_pushinteger(L, h->nkept + 1);
    lua_rawset(L, -3);
  }
  lua_pop(L, 1);
  return s;
}

ph_data pl_payload_ofsymbol(lua_State *L, pl_funcobj *h, const pl_symbol *s) {
  ph_str name;
  uint64_t number = s->number != 0 ? (uint64_t)s->number : ++h->nkept;
  if (s->name == s->at) return pl_payload_of(L, h, s->at);
  name.at = lua_tolstring(L, s->name, &name.n);
  return (ph_data){number << 32 | ph_intern_add(h->f, name), PH_DATA_SYMBOL};
}

/* }== v:data() ======================================================= */

/* False for phis and ops that name a variable, and for constants, parameters
** and projections, whose data are the core's. */
static bool has_data(pl_funcobj *h, ph_value v) {
  ph_op op = ph_value_op(h->f, v);
  return op != PH_PHI && op != PH_PROJ && !ph_op_namesvar(op) &&
         !(ph_op_flags(h->f, op) & PH_LEAF);
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

static int set_symbol(lua_State *L, pl_funcobj *h, int fn, ph_value v) {
  pl_symbol s;
  if (ph_value_op(h->f, v) == PH_CALL) pl_callee_check(L, h, 2);
  if (ph_value_op(h->f, v) == PH_ADDRESS) pl_payload_checkaddress(L, h, 2);
  s = pl_payload_keepsymbol(L, h, fn, 2);
  pl_access_begin(h, "setting data in", ph_value_block(h->f, v));
  ph_value_setdata(h->f, v, pl_payload_ofsymbol(L, h, &s));
  pl_access_end(h);
  return pl_access_return(L, h, 0);
}

static int set_data(lua_State *L, pl_funcobj *h, int fn, ph_value v) {
  pl_access_change(L, h);
  if (!has_data(h, v)) pl_error(L, h, "'%i' cannot be given data", v);
  if (ph_op_flags(h->f, ph_value_op(h->f, v)) & PH_SYMBOLIC)
    return set_symbol(L, h, fn, v);
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

/* v:index(): which result a projection is; nil of anything else */
static int l_index(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_VALUE, 0, 0);
  const ph_func *f = pl_access_read(L, me->owner);
  ph_value v = pl_handle_value(L, me);
  ph_data data = ph_value_data(f, v);
  if (ph_value_op(f, v) == PH_PROJ && data.tag == PH_DATA_INT)
    lua_pushinteger(L, (lua_Integer)data.bits);
  else
    lua_pushnil(L);
  return 1;
}

/* phial.core.symbol(v): the name that the text has for the data of a symbolic
** op; nil if it has no data */
static int l_symbol(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_VALUE, 0, 0);
  ph_data data;
  ph_str name;
  pl_access_read(L, me->owner);
  data = ph_value_data(me->owner->f, pl_handle_value(L, me));
  if (data.tag != PH_DATA_STR && data.tag != PH_DATA_SYMBOL) return 0;
  name = ph_intern_string(me->owner->f, (uint32_t)data.bits);
  lua_pushlstring(L, name.at, name.n);
  return 1;
}

/* }=================================================================== */

const pl_method pl_payload_methods[] = {
    {PL_OF_MODULE, "symbol", l_symbol},
    {PL_OF_VALUE, "data", l_data},
    {PL_OF_VALUE, "index", l_index},
    {0},
};
