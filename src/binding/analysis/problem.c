/* problem.c: the options of fn:solve, which pose a data-flow problem. */
#include "binding/analysis/problem.h"

#include <string.h>

#include "binding/args/dialect.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"

/* How often a fact may change, unless the option `limit` says otherwise. */
static const lua_Integer LIMIT = 1000;

/* Pushes an option, a function or nil. */
static void push_function(lua_State *L, const char *name, bool optional) {
  int type = pl_arg_field(L, PL_PROBLEM_OPTIONS, name);
  if (type != LUA_TFUNCTION && (type != LUA_TNIL || !optional))
    pl_error_plainarg(L, PL_PROBLEM_OPTIONS,
                      "option '%s': a function expected, got %s", name,
                      luaL_typename(L, -1));
}

static lua_Integer take_limit(lua_State *L) {
  lua_Integer limit = LIMIT;
  int is_integer = 1;
  if (pl_arg_field(L, PL_PROBLEM_OPTIONS, "limit") != LUA_TNIL)
    limit = lua_tointegerx(L, -1, &is_integer);
  if (!is_integer || lua_type(L, -1) == LUA_TSTRING || limit < 1)
    pl_error_plainarg(L, PL_PROBLEM_OPTIONS,
                      "option 'limit': a positive integer expected");
  lua_pop(L, 1);
  return limit;
}

/* True if the function has the dialect that is named before the dot. */
static bool has_dialect(lua_State *L, ph_str name) {
  const char *dot = memchr(name.at, '.', name.n);
  bool has;
  if (dot == NULL) return true; /* phial itself */
  lua_getiuservalue(L, PL_PROBLEM_FN, PL_ITS_KEPT);
  lua_pushlstring(L, name.at, (size_t)(dot - name.at));
  has = lua_rawget(L, -2) != LUA_TNIL;
  lua_pop(L, 2);
  return has;
}

/* Pushes the name of the op that the key below the top is, or names. */
static ph_str push_op_name(lua_State *L) {
  const pl_ophandle *o = pl_userdata_test(L, -2, PL_UP_OP);
  ph_str name;
  if (o != NULL)
    lua_pushfstring(L, "%s.%s", o->dialect->name,
                    o->dialect->ops[o->index].name);
  else if (lua_type(L, -2) == LUA_TSTRING)
    lua_pushvalue(L, -2);
  else
    pl_error_plainarg(L, PL_PROBLEM_OPTIONS,
                      "option 'transfer': a key is not the name of an op");
  name.at = lua_tolstring(L, -1, &name.n);
  return name;
}

/* Returns the op of the key below the top; PH_NONE if it is of a dialect that
** the function does not have. */
static ph_op op_of_key(lua_State *L, pl_funcobj *h) {
  ph_str name = push_op_name(L);
  bool has = has_dialect(L, name);
  ph_op op;
  pl_access_read(L, h);
  if (!ph_op_find(h->f, name, &op)) {
    op = PH_NONE;
    if (has)
      pl_error_arg(L, h, PL_PROBLEM_OPTIONS,
                   "option 'transfer': unknown op '%S'%s", name,
                   pl_arg_meantop(L, h, name));
  }
  if (op == PH_PHI)
    pl_error_plainarg(L, PL_PROBLEM_OPTIONS,
                      "option 'transfer': phis have no function: the fact of "
                      "a phi is the join of its operands'");
  lua_pop(L, 1);
  return op;
}

static bool is_default(lua_State *L, int at) {
  return lua_type(L, at) == LUA_TSTRING &&
         strcmp(lua_tostring(L, at), "default") == 0;
}

/* Checks that the value on top, above its key, is a function. */
static void check_function(lua_State *L) {
  const char *got = luaL_typename(L, -1);
  if (lua_type(L, -1) != LUA_TFUNCTION)
    pl_error_plainarg(L, PL_PROBLEM_OPTIONS,
                      "option 'transfer': '%s': a function expected, got %s",
                      pl_error_tostring(L, -2), got);
}

/* Pushes the functions of the option `transfer` by op, and the default. */
static void push_transfer(lua_State *L, pl_funcobj *h) {
  int given = lua_gettop(L) + 1, table = given + 1, usual = given + 2;
  if (pl_arg_field(L, PL_PROBLEM_OPTIONS, "transfer") != LUA_TTABLE)
    pl_error_plainarg(L, PL_PROBLEM_OPTIONS,
                      "option 'transfer': a table of functions by op expected, "
                      "got %s",
                      luaL_typename(L, -1));
  lua_createtable(L, PH_OPS, 0);
  lua_pushnil(L);
  for (lua_pushnil(L); lua_next(L, given) != 0;) {
    ph_op op = PH_NONE;
    check_function(L);
    if (is_default(L, -2))
      lua_copy(L, -1, usual);
    else
      op = op_of_key(L, h);
    if (op == PH_NONE)
      lua_pop(L, 1);
    else
      lua_rawseti(L, table, op);
  }
  lua_remove(L, given);
}

pl_problem pl_problem_take(lua_State *L, pl_funcobj *h) {
  static const char *const known[] = {"bottom", "join",  "transfer",  "edge",
                                      "equal",  "widen", "direction", "limit"};
  static const char *const directions[] = {"forward", "backward"};
  pl_problem p;
  pl_arg_table(L, PL_PROBLEM_OPTIONS);
  pl_arg_fields(L, PL_PROBLEM_OPTIONS, known, 8);
  p.direction = (ph_direction)pl_arg_choice(L, PL_PROBLEM_OPTIONS, "direction",
                                            directions, 2);
  p.limit = take_limit(L);
  if (pl_arg_field(L, PL_PROBLEM_OPTIONS, "bottom") == LUA_TNIL)
    pl_error_plainarg(L, PL_PROBLEM_OPTIONS,
                      "option 'bottom': a fact expected: that of a value that "
                      "is never computed");
  push_function(L, "join", false);
  push_function(L, "edge", true);
  push_function(L, "equal", true);
  push_function(L, "widen", true);
  push_transfer(L, h);
  return p;
}
