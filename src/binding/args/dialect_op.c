/* dialect_op.c: reads the description of an op of a dialect.
**
** What the core keeps of it, such as names, is in the arrays of the dialect,
** and is kept alive by the dialect's anchor; its functions are user values of
** the op's handle.
*/
#include "binding/args/dialect_op.h"

#include <string.h>

#include "binding/state/arg.h"
#include "binding/state/error.h"

/* User values of the handle of an op: its dialect, then its functions. */
enum { ITS_DIALECT = 1, FIRST_FUNCTION };

static const char *const builtin_types[] = {"i1",  "i8",  "i16", "i32", "i64",
                                            "f32", "f64", "any", "ptr"};
_Static_assert(PH_TYPES == 10, "a name for each type");

static const char *const functions[PL_OP_FUNCTIONS] = {"eval", "llvm", "c",
                                                       "describe"};

/*
** {== Anchoring ======================================================
*/

/* Keeps the value on top alive and pops it. */
static void anchor(lua_State *L) {
  lua_rawseti(L, PL_AT_ANCHOR, (lua_Integer)lua_rawlen(L, PL_AT_ANCHOR) + 1);
}

void *pl_dialect_op_anchored(lua_State *L, size_t bytes) {
  void *p = lua_newuserdatauv(L, bytes + 1, 0);
  memset(p, 0, bytes + 1);
  anchor(L);
  return p;
}

const char *pl_dialect_op_anchoredname(lua_State *L, int at) {
  const char *s = lua_tostring(L, at);
  lua_pushvalue(L, at);
  anchor(L);
  return s;
}

/* }== Names ========================================================== */

bool pl_dialect_op_isname(lua_State *L, int at) {
  ph_str s;
  if (lua_type(L, at) != LUA_TSTRING) return false;
  s.at = lua_tolstring(L, at, &s.n);
  return pl_arg_isident(s);
}

bool pl_dialect_op_findtype(const ph_dialect *d, const char *name,
                            ph_type *type) {
  for (int i = 0; i < d->ntypes; i++)
    if (strcmp(name, d->types[i]) == 0) {
      *type = (ph_type)(PH_TYPES + i);
      return true;
    }
  for (int i = 0; i < PH_TYPES - PH_I1; i++)
    if (strcmp(name, builtin_types[i]) == 0) {
      *type = (ph_type)(PH_I1 + i);
      return true;
    }
  return false;
}

/* }== Fields ========================================================= */

/* Reading the description of an op, a table at `at`. */
typedef struct {
  const ph_dialect *d;
  ph_opspec *spec;
  int at;
} reader;

static void complain(lua_State *L, const reader *r, const char *what) {
  pl_error_plainarg(L, PL_AT_OPS, "op '%s': %s", r->spec->name, what);
}

static bool is_field(const char *name) {
  static const char *const known[] = {
      "args",  "result",     "pure",    "commutative", "effect",
      "traps", "terminator", "targets", "results",     "cost",
      "eval",  "llvm",       "c",       "describe",    "env"};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(name, known[i]) == 0) return true;
  return false;
}

static void check_fields(lua_State *L, const reader *r) {
  for (lua_pushnil(L); lua_next(L, r->at) != 0; lua_pop(L, 1))
    if (!pl_dialect_op_isname(L, -2) || !is_field(lua_tostring(L, -2)))
      pl_error_plainarg(
          L, PL_AT_OPS,
          "op '%s': unknown field '%s'; there are: args, result, pure, "
          "commutative, effect, traps, terminator, targets, results, cost, "
          "eval, llvm, c, describe, env",
          r->spec->name, pl_error_tostring(L, -2));
}

static ph_type take_type(lua_State *L, const reader *r) {
  ph_type type = PH_NOTYPE;
  if (lua_type(L, -1) != LUA_TSTRING ||
      !pl_dialect_op_findtype(r->d, lua_tostring(L, -1), &type))
    pl_error_plainarg(L, PL_AT_OPS, "op '%s': unknown type '%s'", r->spec->name,
                      pl_error_tostring(L, -1));
  return type;
}

static void take_arg_types(lua_State *L, const reader *r) {
  int list = lua_gettop(L);
  lua_Integer n = (lua_Integer)lua_rawlen(L, list);
  ph_type *types;
  if (n > INT16_MAX) complain(L, r, "args: more than 32767 types");
  types = pl_dialect_op_anchored(L, (size_t)n);
  for (lua_Integer i = 0; i < n; i++) {
    lua_rawgeti(L, list, i + 1);
    types[i] = take_type(L, r);
    lua_pop(L, 1);
  }
  r->spec->args = types;
  r->spec->nargs = (int)n;
}

/* The value on top: a count or "*"; nil counts as 0. */
static int take_count(lua_State *L, const reader *r, const char *what) {
  if (lua_isnil(L, -1)) return 0;
  if (lua_type(L, -1) == LUA_TSTRING && strcmp(lua_tostring(L, -1), "*") == 0)
    return PH_VARIADIC;
  if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 0 ||
      lua_tointeger(L, -1) > INT16_MAX)
    complain(L, r, what);
  return (int)lua_tointeger(L, -1);
}

static void take_args(lua_State *L, const reader *r) {
  if (pl_arg_field(L, r->at, "args") == LUA_TTABLE)
    take_arg_types(L, r);
  else
    r->spec->nargs = take_count(
        L, r, "args: a number up to 32767, a list of types or \"*\" expected");
  lua_pop(L, 1);
}

/* True if the value on top is "*": the instruction says. */
static bool is_star(lua_State *L) {
  return lua_type(L, -1) == LUA_TSTRING &&
         strcmp(lua_tostring(L, -1), "*") == 0;
}

static uint16_t take_results(lua_State *L, const reader *r) {
  lua_Integer n = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : 0;
  if (r->spec->result == PH_NOTYPE || ((n < 1 || n > INT16_MAX) && !is_star(L)))
    complain(L, r,
             "results: a number from 1 to 32767 or \"*\" expected, next to "
             "result");
  return is_star(L) ? PH_RESULTS_SAID : (uint16_t)n;
}

static void take_result(lua_State *L, const reader *r) {
  pl_arg_field(L, r->at, "result");
  if (is_star(L))
    r->spec->result = PH_SAIDTYPE;
  else if (lua_toboolean(L, -1))
    r->spec->result = take_type(L, r);
  lua_pop(L, 1);
  r->spec->nresults = r->spec->result != PH_NOTYPE;
  if (pl_arg_field(L, r->at, "results") != LUA_TNIL)
    r->spec->nresults = take_results(L, r);
  lua_pop(L, 1);
}

/* 1, 0, or -1 if the field is absent. */
static int take_flag(lua_State *L, const reader *r, const char *name) {
  int type = pl_arg_field(L, r->at, name);
  int flag = type == LUA_TNIL ? -1 : lua_toboolean(L, -1);
  if (type != LUA_TNIL && type != LUA_TBOOLEAN)
    pl_error_plainarg(L, PL_AT_OPS, "op '%s': %s: boolean expected, got %s",
                      r->spec->name, name, lua_typename(L, type));
  lua_pop(L, 1);
  return flag;
}

/* Refuses the effect on top. */
static void refuse_effect(lua_State *L, const reader *r) {
  const char *what;
  if (lua_isboolean(L, -1) || lua_isnumber(L, -1) || lua_isstring(L, -1))
    what = luaL_tolstring(L, -1, NULL);
  else
    what = lua_pushfstring(L, "a %s", luaL_typename(L, -1));
  pl_error_plainarg(
      L, PL_AT_OPS,
      "op '%s': effect: \"none\", \"read\", \"new\" or \"write\" expected, "
      "got %s",
      r->spec->name, what);
}

/* Returns the effect that is given, or -1 if none is. */
static int take_effect(lua_State *L, const reader *r) {
  int effect = -1;
  if (pl_arg_field(L, r->at, "effect") != LUA_TNIL) {
    if (lua_type(L, -1) == LUA_TSTRING)
      for (int e = PH_EFFECT_WRITE; e <= PH_EFFECT_NONE; e++)
        if (strcmp(lua_tostring(L, -1), ph_effect_name((ph_effect)e)) == 0)
          effect = e;
    if (effect < 0) refuse_effect(L, r);
  }
  lua_pop(L, 1);
  return effect;
}

static void check_effect(lua_State *L, const reader *r, int effect, int pure) {
  const char *name = effect < 0 ? "" : ph_effect_name((ph_effect)effect);
  if (pure == 0)
    complain(L, r,
             "pure = false says nothing: say effect = \"none\", \"read\", "
             "\"new\" or \"write\"");
  if (pure == 1 && effect >= 0 && effect != PH_EFFECT_NONE)
    pl_error_plainarg(L, PL_AT_OPS,
                      "op '%s': pure = true is effect = \"none\", not \"%s\"",
                      r->spec->name, name);
  if ((effect == PH_EFFECT_READ || effect == PH_EFFECT_NEW) &&
      r->spec->result == PH_NOTYPE && !(r->spec->flags & PH_TRAPS))
    pl_error_plainarg(L, PL_AT_OPS, "op '%s': effect = \"%s\", but no result",
                      r->spec->name, name);
}

static void take_flags(lua_State *L, const reader *r) {
  int pure = take_flag(L, r, "pure"), effect = take_effect(L, r);
  bool ends = take_flag(L, r, "terminator") == 1;
  int traps = take_flag(L, r, "traps");
  bool commutes = take_flag(L, r, "commutative") == 1;
  if (ends && (effect >= 0 || traps >= 0))
    complain(L, r, "effect and traps are not for a terminator");
  if (commutes && r->spec->nargs != 2)
    complain(L, r, "commutative, but not of two args");
  if (commutes) r->spec->flags |= PH_COMMUTATIVE;
  if (traps == 1) r->spec->flags |= PH_TRAPS;
  check_effect(L, r, effect, pure);
  if (pure == 1) effect = PH_EFFECT_NONE;
  r->spec->effect = (uint8_t)(effect < 0 ? PH_EFFECT_WRITE : effect);
}

static void take_terminator(lua_State *L, const reader *r) {
  bool ends = take_flag(L, r, "terminator") == 1;
  bool targets = pl_arg_field(L, r->at, "targets") != LUA_TNIL;
  r->spec->ntargets =
      take_count(L, r, "targets: a number up to 32767 or \"*\" expected");
  lua_pop(L, 1);
  if (targets && !ends) complain(L, r, "targets, but no terminator");
  if (!ends) return;
  if (r->spec->flags != 0 || r->spec->effect != PH_EFFECT_WRITE ||
      r->spec->result != PH_NOTYPE)
    complain(L, r, "a terminator is not pure and has no result");
  r->spec->flags = PH_TERMINATOR;
}

static void take_cost(lua_State *L, const reader *r) {
  if (pl_arg_field(L, r->at, "cost") != LUA_TNIL) {
    lua_Integer cost = lua_tointeger(L, -1);
    if (!lua_isinteger(L, -1) || cost < 1 || cost > UINT16_MAX)
      complain(L, r, "cost: a number from 1 to 65535 expected");
    r->spec->cost = (uint16_t)cost;
  }
  lua_pop(L, 1);
}

static void check_functions(lua_State *L, const reader *r) {
  for (int i = 0; i < PL_OP_FUNCTIONS; i++) {
    const char *name = functions[i];
    int type = pl_arg_field(L, r->at, name);
    if (type != LUA_TNIL && type != LUA_TFUNCTION)
      pl_error_plainarg(L, PL_AT_OPS, "op '%s': %s: function expected",
                        r->spec->name, name);
    lua_pop(L, 1);
  }
}

static void take_op(lua_State *L, const reader *r) {
  check_fields(L, r);
  take_args(L, r);
  take_result(L, r);
  take_flags(L, r);
  take_terminator(L, r);
  take_cost(L, r);
  take_flag(L, r, "env");
  check_functions(L, r);
}

/* }== The handle ===================================================== */

/* Pushes the handle of the op. */
static void push_op(lua_State *L, const reader *r) {
  pl_ophandle *o = lua_newuserdatauv(L, sizeof *o, 1 + PL_OP_FUNCTIONS);
  o->dialect = r->d;
  o->index = (uint32_t)(r->spec - r->d->ops);
  o->env = take_flag(L, r, "env") == 1;
  pl_userdata_setkind(L, PL_UP_OP);
  lua_pushvalue(L, PL_AT_DIALECT);
  lua_setiuservalue(L, -2, ITS_DIALECT);
  for (int i = 0; i < PL_OP_FUNCTIONS; i++) {
    pl_arg_field(L, r->at, functions[i]);
    lua_setiuservalue(L, -2, FIRST_FUNCTION + i);
  }
}

void pl_dialect_op_read(lua_State *L, const ph_dialect *d, ph_opspec *spec,
                        int at) {
  const reader r = {d, spec, at};
  take_op(L, &r);
  push_op(L, &r);
}

void pl_dialect_op_pushfunction(lua_State *L, int at, pl_opfunction which) {
  lua_getiuservalue(L, at, FIRST_FUNCTION + (int)which);
}

/* }=================================================================== */
