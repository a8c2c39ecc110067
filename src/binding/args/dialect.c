/* dialect.c: phial.dialect(name, ops[, types]).
**
** A dialect is a userdata with a metatable of its own, whose __index is the
** table of its ops.  It holds the core's table; the arrays and strings of that
** are kept alive by a Lua table, the anchor.  Functions keep the dialects that
** they have attached alive.
*/
#include "binding/args/dialect.h"

#include <stdlib.h>
#include <string.h>

#include "binding/args/dialect_op.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/method.h"

/* Marks the metatables of dialects. */
static const char mark = 0;

/*
** {== Types and ops ==================================================
*/

static void take_types(lua_State *L, ph_dialect *d) {
  const char **names;
  ph_type clash;
  lua_Integer n;
  if (lua_isnil(L, PL_AT_TYPES)) return;
  pl_arg_table(L, PL_AT_TYPES);
  n = (lua_Integer)lua_rawlen(L, PL_AT_TYPES);
  if (n > PL_DIALECT_TYPES)
    pl_error_plainarg(L, PL_AT_TYPES, "more than %d types", PL_DIALECT_TYPES);
  names = pl_dialect_op_anchored(L, (size_t)n * sizeof *names);
  d->types = names;
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, PL_AT_TYPES, i);
    if (!pl_dialect_op_isname(L, -1))
      pl_error_plainarg(L, PL_AT_TYPES, "a list of names of types expected");
    if (pl_dialect_op_findtype(d, lua_tostring(L, -1), &clash))
      pl_error_plainarg(L, PL_AT_TYPES, "type '%s' exists already",
                        lua_tostring(L, -1));
    names[d->ntypes++] = pl_dialect_op_anchoredname(L, -1);
    lua_pop(L, 1);
  }
}

static int by_name(const void *p, const void *q) {
  const ph_opspec *a = p, *b = q;
  return strcmp(a->name, b->name);
}

/* Takes the names of all ops, sorted, so that the numbers of the ops do not
** depend on the order of a table. */
static ph_opspec *take_names(lua_State *L, ph_dialect *d) {
  ph_opspec *specs;
  int n = 0;
  for (lua_pushnil(L); lua_next(L, PL_AT_OPS) != 0; lua_pop(L, 1)) n++;
  if (n > PL_DIALECT_OPS)
    pl_error_plainarg(L, PL_AT_OPS, "more than %d ops", PL_DIALECT_OPS);
  specs = pl_dialect_op_anchored(L, (size_t)n * sizeof *specs);
  for (lua_pushnil(L); d->nops < n && lua_next(L, PL_AT_OPS) != 0;) {
    if (!pl_dialect_op_isname(L, -2) || !lua_istable(L, -1))
      pl_error_plainarg(L, PL_AT_OPS,
                        "names of ops with their descriptions expected");
    specs[d->nops++].name = pl_dialect_op_anchoredname(L, -2);
    lua_pop(L, 1);
  }
  lua_settop(L, PL_AT_ANCHOR);
  qsort(specs, d->nops, sizeof *specs, by_name);
  return specs;
}

/* Pushes the table of op handles. */
static void take_ops(lua_State *L, ph_dialect *d) {
  ph_opspec *specs = take_names(L, d);
  d->ops = specs;
  lua_newtable(L);
  for (uint16_t i = 0; i < d->nops; i++) {
    int description = lua_gettop(L) + 1;
    pl_arg_field(L, PL_AT_OPS, specs[i].name);
    pl_arg_table(L, description);
    pl_dialect_op_read(L, d, &specs[i], description);
    lua_setfield(L, -3, specs[i].name);
    lua_pop(L, 1);
  }
}

/* }== The dialect ==================================================== */

void pl_dialect_checkroom(lua_State *L, const ph_dialect *d, uint32_t nops,
                          uint32_t ntypes) {
  if (nops + d->nops > PL_DIALECT_OPS || ntypes + d->ntypes > PL_DIALECT_TYPES)
    pl_error_plain(L,
                   "dialect '%s' cannot be attached: all dialects together "
                   "can have %d ops and %d types",
                   d->name, PL_DIALECT_OPS, PL_DIALECT_TYPES);
}

/* phial.core.dialect_room(list): how many ops, and how many types, other
** dialects can have besides those in the list */
static int l_dialect_room(lua_State *L) {
  lua_Integer nops = PL_DIALECT_OPS, ntypes = PL_DIALECT_TYPES, n;
  pl_arg_count(L, 1, 1);
  pl_arg_table(L, 1);
  n = (lua_Integer)lua_rawlen(L, 1);
  for (lua_Integer i = 1; i <= n; i++) {
    const ph_dialect *d;
    lua_rawgeti(L, 1, i);
    d = pl_dialect_test(L, -1);
    if (d == NULL)
      pl_error_plain(L, "option 'dialects': a list of dialects expected");
    nops -= d->nops;
    ntypes -= d->ntypes;
    lua_pop(L, 1);
  }
  lua_pushinteger(L, nops);
  lua_pushinteger(L, ntypes);
  return 2;
}

const ph_dialect *pl_dialect_test(lua_State *L, int at) {
  bool is_one;
  if (lua_touserdata(L, at) == NULL || !lua_getmetatable(L, at)) return NULL;
  is_one = lua_rawgetp(L, -1, &mark) == LUA_TBOOLEAN;
  lua_pop(L, 2);
  return is_one ? lua_touserdata(L, at) : NULL;
}

static int l_tostring(lua_State *L) {
  const ph_dialect *d = pl_dialect_test(L, 1);
  if (d == NULL) return luaL_typeerror(L, 1, "phial.Dialect");
  lua_pushstring(L, d->name);
  return 1;
}

/* Gives the dialect its metatable; pops the table of ops. */
static void set_metatable(lua_State *L) {
  lua_createtable(L, 0, 4);
  lua_insert(L, -2);
  lua_setfield(L, -2, "__index");
  lua_pushstring(L, "phial.Dialect");
  lua_setfield(L, -2, "__name");
  lua_pushcfunction(L, l_tostring);
  lua_setfield(L, -2, "__tostring");
  lua_pushboolean(L, true);
  lua_rawsetp(L, -2, &mark);
  lua_setmetatable(L, PL_AT_DIALECT);
}

static int l_dialect(lua_State *L) {
  ph_dialect *d;
  pl_arg_count(L, 2, 3);
  pl_arg_str(L, PL_AT_NAME);
  if (!pl_dialect_op_isname(L, PL_AT_NAME))
    pl_error_plainarg(L, PL_AT_NAME, "'%s' is not a name",
                      lua_tostring(L, PL_AT_NAME));
  pl_arg_table(L, PL_AT_OPS);
  lua_settop(L, PL_AT_TYPES);
  d = lua_newuserdatauv(L, sizeof *d, 1);
  memset(d, 0, sizeof *d);
  lua_newtable(L);
  lua_pushvalue(L, PL_AT_ANCHOR);
  lua_setiuservalue(L, PL_AT_DIALECT, 1);
  d->name = pl_dialect_op_anchoredname(L, PL_AT_NAME);
  take_types(L, d);
  take_ops(L, d);
  set_metatable(L);
  lua_settop(L, PL_AT_DIALECT);
  return 1;
}

/* }=================================================================== */

const pl_method pl_dialect_methods[] = {
    {PL_OF_MODULE, "dialect", l_dialect},
    {PL_OF_MODULE, "dialect_room", l_dialect_room},
    {0},
};
