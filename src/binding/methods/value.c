/* value.c: methods of values; each is about what the value is by now. */
#include "binding/args/payload.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/* The value that a method with at most `most` arguments is called on. */
static ph_value look(lua_State *L, pl_funcobj **h, int most) {
  pl_handle *me = pl_arg_method(L, PL_UP_VALUE, 0, most);
  *h = me->owner;
  pl_access_read(L, me->owner);
  return pl_handle_value(L, me);
}

static void push_str(lua_State *L, ph_str s) {
  if (s.n > 0)
    lua_pushlstring(L, s.at, s.n);
  else
    lua_pushnil(L);
}

static void push_buf(lua_State *L, const pl_funcobj *h) {
  lua_pushlstring(L, h->buf.at, h->buf.n);
}

static void push_type(lua_State *L, pl_funcobj *h, ph_type type) {
  h->buf.n = 0;
  if (type != PH_NOTYPE) {
    ph_print_type(&h->buf, h->f, type);
    push_buf(L, h);
  } else {
    lua_pushnil(L);
  }
}

static int l_op(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  h->buf.n = 0;
  ph_print_op(&h->buf, h->f, ph_value_op(h->f, v));
  push_buf(L, h);
  return 1;
}

static int l_type(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  push_type(L, h, ph_value_type(h->f, v));
  return 1;
}

static int l_id(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  lua_pushinteger(L, v.id);
  return 1;
}

static int l_now(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  pl_handle_pushvalue(L, pl_handle_pushowner(L, 1), v);
  return 1;
}

/* v:place(): "file:line" of the call that made it, if it was recorded */
static int l_place(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  return pl_srcloc_pushplace(L, h, ph_value_hostloc(h->f, v));
}

static int l_block(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  ph_block b = ph_value_block(h->f, v);
  if (ph_some(b))
    pl_handle_pushblock(L, pl_handle_pushowner(L, 1), b);
  else
    lua_pushnil(L);
  return 1;
}

static int l_var(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  ph_var var = ph_value_var(h->f, v);
  if (ph_some(var))
    pl_handle_pushvar(L, pl_handle_pushowner(L, 1), var);
  else
    lua_pushnil(L);
  return 1;
}

/* Constants and undefs are shared: they have no name and no position. */
static void refuse_constant(lua_State *L, pl_funcobj *h, ph_value v,
                            const char *why) {
  ph_op op = ph_value_op(h->f, v);
  if (op == PH_CONST || op == PH_UNDEF)
    pl_error(L, h, "'%v' is a constant: it %s", v, why);
}

static int set_name(lua_State *L, pl_funcobj *h, ph_value v) {
  ph_str name = pl_arg_str(L, 2);
  pl_access_change(L, h);
  refuse_constant(L, h, v, "cannot be named");
  pl_access_begin(h, "naming a value in", ph_value_block(h->f, v));
  ph_value_setname(h->f, v, name);
  pl_access_end(h);
  return pl_access_return(L, h, 0);
}

static int l_name(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 1);
  if (lua_gettop(L) == 2) return set_name(L, h, v);
  push_str(L, ph_value_name(h->f, v));
  return 1;
}

/* The Lua value of a constant and its type. */
static int l_const(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  ph_type type = ph_value_type(h->f, v);
  if (ph_value_op(h->f, v) != PH_CONST) {
    lua_pushnil(L);
    return 1;
  }
  pl_literal_push(L, h->f, type, ph_value_data(h->f, v));
  pl_access_read(L, h);
  push_type(L, h, type);
  return 2;
}

static int l_args(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  pl_handle_start(h);
  for (uint32_t i = 0; i < ph_value_nargs(h->f, v); i++)
    pl_handle_gather(h, ph_value_arg(h->f, v, i).id);
  pl_handle_pushlist(L, h, pl_handle_pushowner(L, 1), PL_UP_VALUE);
  return pl_access_return(L, h, 1);
}

static int l_uses(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  uint32_t n;
  pl_access_begin(h, "counting uses in", ph_value_block(h->f, v));
  n = ph_uses_count(h->f, v);
  h->doing = NULL;
  lua_pushinteger(L, n);
  return pl_access_return(L, h, 1);
}

/* Removes duplicates from the list on top. */
static void make_unique(lua_State *L) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, -1), kept = 0;
  lua_newtable(L); /* set of what it has had */
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
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  uint32_t use;
  pl_handle_start(h);
  pl_access_begin(h, "looking for uses in", ph_value_block(h->f, v));
  use = ph_uses_first(h->f, v);
  for (; use != 0; use = ph_uses_next(h->f, v, use))
    pl_handle_gather(h, ph_uses_user(h->f, use).id);
  h->doing = NULL;
  pl_handle_pushlist(L, h, pl_handle_pushowner(L, 1), PL_UP_VALUE);
  make_unique(L);
  return pl_access_return(L, h, 1);
}

/* Puts the results in the list on top, in any order, into that of their
** numbers. */
static void sort_results(lua_State *L, pl_funcobj *h) {
  const ph_func *f;
  int list = lua_gettop(L), by = list + 1, out = list + 2, last = 0;
  lua_Integer n = (lua_Integer)lua_rawlen(L, list), kept = 0;
  lua_newtable(L);
  lua_newtable(L);
  f = pl_access_read(L, h); /* finalizers may have run */
  for (lua_Integer i = 1; i <= n; i++) {
    const pl_handle *it;
    int number = 1;
    lua_rawgeti(L, list, i);
    it = lua_touserdata(L, -1);
    if (i > 1) number = (int)ph_value_data(f, (ph_value){it->id}).bits;
    if (number > last) last = number;
    lua_rawseti(L, by, number);
  }
  for (int i = 1; i <= last; i++)
    if (lua_rawgeti(L, by, i) == LUA_TNIL)
      lua_pop(L, 1);
    else
      lua_rawseti(L, out, ++kept);
}

/* v:results(): v and its further results, in the order of their numbers */
static int l_results(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  uint32_t use;
  pl_handle_start(h);
  pl_access_begin(h, "looking for uses in", ph_value_block(h->f, v));
  if (ph_value_type(h->f, v) != PH_NOTYPE)
    pl_handle_gather(h, ph_value_resolve(h->f, v).id);
  use = ph_uses_first(h->f, v);
  for (; use != 0; use = ph_uses_next(h->f, v, use))
    if (ph_value_op(h->f, ph_uses_user(h->f, use)) == PH_PROJ)
      pl_handle_gather(h, ph_uses_user(h->f, use).id);
  h->doing = NULL;
  pl_handle_pushlist(L, h, pl_handle_pushowner(L, 1), PL_UP_VALUE);
  sort_results(L, h);
  return pl_access_return(L, h, 1);
}

/* v:loc(): the frontend's line, column, file, and where it ends */
static int l_loc(lua_State *L) {
  pl_funcobj *h;
  ph_value v = look(L, &h, 0);
  return pl_srcloc_push(L, h, ph_value_loc(h->f, v));
}

/* v:set_loc(line, ...), with the arguments of fn:loc */
static int l_set_loc(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_VALUE, 0, 5);
  pl_funcobj *h = me->owner;
  ph_str file;
  ph_srcloc loc;
  ph_value v;
  pl_access_change(L, h);
  loc = pl_srcloc_take(L, &file);
  v = pl_handle_value(L, me);
  refuse_constant(L, h, v, "cannot have a position");
  pl_access_begin(h, "noting a position in", ph_value_block(h->f, v));
  loc.file = ph_intern_add(h->f, file);
  ph_value_setloc(h->f, v, loc);
  pl_access_end(h);
  return pl_access_return(L, h, 0);
}

const pl_method pl_value_methods[] = {
    {PL_OF_VALUE, "op", l_op},           {PL_OF_VALUE, "type", l_type},
    {PL_OF_VALUE, "id", l_id},           {PL_OF_VALUE, "place", l_place},
    {PL_OF_VALUE, "now", l_now},         {PL_OF_VALUE, "block", l_block},
    {PL_OF_VALUE, "var", l_var},         {PL_OF_VALUE, "name", l_name},
    {PL_OF_VALUE, "const", l_const},     {PL_OF_VALUE, "args", l_args},
    {PL_OF_VALUE, "uses", l_uses},       {PL_OF_VALUE, "users", l_users},
    {PL_OF_VALUE, "loc", l_loc},         {PL_OF_VALUE, "set_loc", l_set_loc},
    {PL_OF_VALUE, "results", l_results}, {0},
};
