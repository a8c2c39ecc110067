/* value.c: methods of values.  Each answers for what the handle stands for
** now.
*/
#include "binding/state/arg.h"
#include "binding/emit/emit.h"
#include "binding/state/errors.h"
#include "binding/state/handle.h"
#include "binding/state/funcobj.h"
#include "binding/methods/module.h"

/* The value of a method with `most` arguments at most. */
static ph_value look(lua_State *L, ph_host **h, int most) {
  ph_handle *me = ph_handle_method(L, PH_UP_VALUE, 0, most);
  *h = me->host;
  ph_host_look(L, me->host);
  return ph_handle_value(L, me);
}

static void push_str(lua_State *L, ph_str s) {
  if (s.n > 0)
    lua_pushlstring(L, s.at, s.n);
  else
    lua_pushnil(L);
}

static void push_buf(lua_State *L, const ph_host *h) {
  lua_pushlstring(L, h->buf.at, h->buf.n);
}

static void push_type(lua_State *L, ph_host *h, ph_type type) {
  h->buf.n = 0;
  if (type != PH_NOTYPE) {
    ph_print_type(&h->buf, h->f, type);
    push_buf(L, h);
  } else {
    lua_pushnil(L);
  }
}

static int l_op(lua_State *L) {
  ph_host *h;
  ph_value v = look(L, &h, 0);
  h->buf.n = 0;
  ph_print_op(&h->buf, h->f, ph_ir_op(h->f, v));
  push_buf(L, h);
  return 1;
}

static int l_type(lua_State *L) {
  ph_host *h;
  ph_value v = look(L, &h, 0);
  push_type(L, h, ph_ir_type(h->f, v));
  return 1;
}

static int l_id(lua_State *L) {
  ph_host *h;
  ph_value v = look(L, &h, 0);
  lua_pushinteger(L, v.id);
  return 1;
}

static int l_now(lua_State *L) {
  ph_host *h;
  ph_value v = look(L, &h, 0);
  ph_handle_pushvalue(L, ph_handle_pushowner(L, 1), v);
  return 1;
}

static int l_block(lua_State *L) {
  ph_host *h;
  ph_value v = look(L, &h, 0);
  ph_block b = ph_ir_blockof(h->f, v);
  if (ph_some(b))
    ph_handle_pushblock(L, ph_handle_pushowner(L, 1), b);
  else
    lua_pushnil(L);
  return 1;
}

static int l_var(lua_State *L) {
  ph_host *h;
  ph_value v = look(L, &h, 0);
  ph_var var = ph_ir_varof(h->f, v);
  if (ph_some(var))
    ph_handle_pushvar(L, ph_handle_pushowner(L, 1), var);
  else
    lua_pushnil(L);
  return 1;
}

/* Constants and undefs are shared: they have no name. */
static int set_name(lua_State *L, ph_host *h, ph_value v) {
  ph_str name = ph_arg_str(L, 2);
  ph_op op = ph_ir_op(h->f, v);
  ph_host_change(L, h);
  if (op == PH_CONST || op == PH_UNDEF)
    ph_fail(L, h, "'%v' is a constant: it cannot be named", v);
  ph_host_begin(h, "naming a value in", ph_ir_blockof(h->f, v));
  ph_name_set(h->f, v, name);
  ph_host_end(h);
  return ph_host_done(L, h, 0);
}

static int l_name(lua_State *L) {
  ph_host *h;
  ph_value v = look(L, &h, 1);
  if (lua_gettop(L) == 2) return set_name(L, h, v);
  push_str(L, ph_name_value(h->f, v));
  return 1;
}

/* The Lua value of a constant and its type. */
static int l_const(lua_State *L) {
  ph_host *h;
  ph_value v = look(L, &h, 0);
  ph_type type = ph_ir_type(h->f, v);
  if (ph_ir_op(h->f, v) != PH_CONST) {
    lua_pushnil(L);
    return 1;
  }
  ph_literal_push(L, h->f, type, ph_ir_data(h->f, v));
  ph_host_look(L, h);
  push_type(L, h, type);
  return 2;
}

static int l_args(lua_State *L) {
  ph_host *h;
  ph_value v = look(L, &h, 0);
  ph_handle_start(h);
  for (uint32_t i = 0; i < ph_ir_nargs(h->f, v); i++)
    ph_handle_gather(h, ph_ir_argof(h->f, v, i).id);
  ph_handle_pushlist(L, h, ph_handle_pushowner(L, 1), PH_UP_VALUE);
  return ph_host_done(L, h, 1);
}

static int l_uses(lua_State *L) {
  ph_host *h;
  ph_value v = look(L, &h, 0);
  uint32_t n;
  ph_host_begin(h, "counting uses in", ph_ir_blockof(h->f, v));
  n = ph_use_count(h->f, v);
  h->doing = NULL;
  lua_pushinteger(L, n);
  return ph_host_done(L, h, 1);
}

/* Drops from the list on top what was in it before. */
static void make_unique(lua_State *L) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, -1), kept = 0;
  lua_newtable(L); /* what was seen */
  for (lua_Integer i = 1; i <= n; i++) {
    bool is_new;
    lua_rawgeti(L, -2, i);
    lua_pushvalue(L, -1);
    is_new = lua_rawget(L, -3) == LUA_TNIL;
    lua_pop(L, 1);
    lua_pushnil(L);
    lua_rawseti(L, -4, i);
    if (is_new) {
      lua_pushvalue(L, -1);
      lua_pushboolean(L, true);
      lua_rawset(L, -4);
      lua_rawseti(L, -3, ++kept);
    } else {
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
}

static int l_users(lua_State *L) {
  ph_host *h;
  ph_value v = look(L, &h, 0);
  uint32_t use;
  ph_handle_start(h);
  ph_host_begin(h, "looking for uses in", ph_ir_blockof(h->f, v));
  use = ph_use_first(h->f, v);
  for (; use != 0; use = ph_use_next(h->f, v, use))
    ph_handle_gather(h, ph_use_user(h->f, use).id);
  h->doing = NULL;
  ph_handle_pushlist(L, h, ph_handle_pushowner(L, 1), PH_UP_VALUE);
  make_unique(L);
  return ph_host_done(L, h, 1);
}

/* The frontend's line, column, file. */
static int l_loc(lua_State *L) {
  ph_host *h;
  ph_value v = look(L, &h, 0);
  ph_place p = ph_place_locof(h->f, v);
  if (p.line == 0) {
    lua_pushnil(L);
    return 1;
  }
  lua_pushinteger(L, p.line);
  if (p.col != 0)
    lua_pushinteger(L, p.col);
  else
    lua_pushnil(L);
  push_str(L, ph_name_string(h->f, p.file));
  return 3;
}

const luaL_Reg ph_value_methods[] = {{"op", l_op},
                                     {"type", l_type},
                                     {"id", l_id},
                                     {"now", l_now},
                                     {"block", l_block},
                                     {"var", l_var},
                                     {"name", l_name},
                                     {"const", l_const},
                                     {"args", l_args},
                                     {"uses", l_uses},
                                     {"users", l_users},
                                     {"loc", l_loc},
                                     {"data", ph_data_method},
                                     {NULL, NULL}};
