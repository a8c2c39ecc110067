/* dialect.c: phial.dialect(name, ops[, types]), and the dialects of a function.
**
** A dialect is a userdata with a metatable of its own, whose __index is the
** table of its ops.  It holds the core's table; the arrays and strings of that
** are kept alive by a Lua table, the anchor.  The functions of an op are user
** values of its handle.
*/
#include "binding/args/dialect.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "binding/args/template.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/funcobj.h"
#include "binding/state/handle.h"
#include "binding/state/memory.h"
#include "binding/state/method.h"

/* Stack indices of phial.dialect: its arguments, the dialect, and a table that
** keeps alive what the dialect points to. */
enum { AT_NAME = 1, AT_OPS, AT_TYPES, AT_DIALECT, AT_ANCHOR };

/* Marks the metatables of dialects. */
static const char mark = 0;

/* User values of the handle of an op: its dialect, then its functions. */
enum { ITS_DIALECT = 1, FIRST_FUNCTION };

static const char *const builtin_types[] = {"i1",  "i8",  "i16", "i32", "i64",
                                            "f32", "f64", "any", "ptr"};
_Static_assert(PH_KNOWN_TYPES == 10, "a name for each type");

static const char *const functions[PL_OP_FUNCTIONS] = {
    "eval", "llvm", "c", "lua", "describe", "smt"};

/* What texts of them can ask for, of what emitters are told. */
static const char *const options[] = {"traps", "typed"};

/*
** {== Anchoring ======================================================
*/

/* Keeps the value on top alive and pops it. */
static void anchor_value(lua_State *L) {
  lua_rawseti(L, AT_ANCHOR, (lua_Integer)lua_rawlen(L, AT_ANCHOR) + 1);
}

static void *new_anchored(lua_State *L, size_t bytes) {
  void *p = lua_newuserdatauv(L, bytes + 1, 0);
  memset(p, 0, bytes + 1);
  anchor_value(L);
  return p;
}

static const char *anchor_name(lua_State *L, int at) {
  const char *s = lua_tostring(L, at);
  lua_pushvalue(L, at);
  anchor_value(L);
  return s;
}

/* }== Names ========================================================== */

static bool is_name(lua_State *L, int at) {
  ph_str s;
  if (lua_type(L, at) != LUA_TSTRING) return false;
  s.at = lua_tolstring(L, at, &s.n);
  return pl_arg_isident(s);
}

static bool find_type(const ph_dialect *d, const char *name, ph_type *type) {
  for (int i = 0; i < d->ntypes; i++)
    if (strcmp(name, d->types[i]) == 0) {
      *type = (ph_type)(PH_TYPES + i);
      return true;
    }
  for (int i = 0; i < PH_KNOWN_TYPES - PH_I1; i++)
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

/* Raises an error about the op; fmt is that of lua_pushfstring. */
static void complain(lua_State *L, const reader *r, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  lua_pushvfstring(L, fmt, ap);
  va_end(ap);
  pl_error_plainarg(L, AT_OPS, "op '%s': %s", r->spec->name,
                    lua_tostring(L, -1));
}

static void check_fields(lua_State *L, const reader *r) {
  static const char fields[] =
      " args, result, pure, commutative, effect, traps, terminator, targets, "
      "reads, writes, results, cost, eval, llvm, c, lua, describe, smt, env,";
  for (lua_pushnil(L); lua_next(L, r->at) != 0; lua_pop(L, 1)) {
    const char *field = is_name(L, -2) ? lua_tostring(L, -2) : "?";
    if (strstr(fields, lua_pushfstring(L, " %s,", field)) == NULL) {
      const char *all = lua_pushlstring(L, fields, sizeof fields - 2);
      complain(L, r, "unknown field '%s'; there are:%s",
               pl_error_tostring(L, -4), all);
    }
    lua_pop(L, 1);
  }
}

static ph_type take_type(lua_State *L, const reader *r, const char *field) {
  ph_type type = PH_NOTYPE;
  if (lua_type(L, -1) != LUA_TSTRING ||
      !find_type(r->d, lua_tostring(L, -1), &type))
    complain(L, r, "%s: unknown type '%s'" PL_TYPES, field,
             pl_error_tostring(L, -1));
  return type;
}

/* Returns the length of the list on top, which is that of a field. */
static lua_Integer check_list(lua_State *L, const reader *r,
                              const char *field) {
  int list = lua_gettop(L);
  const char *what = lua_pushfstring(L, "op '%s': %s", r->spec->name, field);
  lua_Integer n = pl_arg_list(L, AT_OPS, list, what);
  lua_pop(L, 1);
  return n;
}

/* Copies the list of types on top, that of a field, whose length becomes *n. */
static ph_type *take_list(lua_State *L, const reader *r, const char *field,
                          lua_Integer *length) {
  int list = lua_gettop(L);
  lua_Integer n = *length = check_list(L, r, field);
  ph_type *types;
  if (n > INT16_MAX) complain(L, r, "%s: more than 32767 types", field);
  types = new_anchored(L, (size_t)n);
  for (lua_Integer i = 0; i < n; i++) {
    lua_rawgeti(L, list, i + 1);
    types[i] = take_type(L, r, field);
    lua_pop(L, 1);
  }
  return types;
}

/* True if the value on top is "*": the instruction says. */
static bool is_star(lua_State *L) {
  return lua_type(L, -1) == LUA_TSTRING &&
         strcmp(lua_tostring(L, -1), "*") == 0;
}

/* The value on top: a count or "*"; nil counts as 0. */
static int take_count(lua_State *L, const reader *r, const char *what) {
  if (lua_isnil(L, -1)) return 0;
  if (is_star(L)) return PH_VARIADIC;
  if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) < 0 ||
      lua_tointeger(L, -1) > INT16_MAX)
    complain(L, r, what);
  return (int)lua_tointeger(L, -1);
}

static void take_result(lua_State *L, const reader *r) {
  pl_arg_field(L, r->at, "result");
  if (is_star(L))
    r->spec->result = PH_SAIDTYPE;
  else if (lua_toboolean(L, -1))
    r->spec->result = take_type(L, r, "result");
  lua_pop(L, 1);
  r->spec->nresults = r->spec->result != PH_NOTYPE;
  if (pl_arg_field(L, r->at, "results") == LUA_TTABLE) {
    lua_Integer n;
    r->spec->results = take_list(L, r, "results", &n);
    if (r->spec->result != PH_NOTYPE || n < 1)
      complain(L, r, "results: from 1 to 32767 types expected, without result");
    r->spec->result = r->spec->results[0];
    r->spec->nresults = (uint16_t)n;
  } else if (!lua_isnil(L, -1)) {
    lua_Integer n = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : 0;
    if (r->spec->result == PH_NOTYPE ||
        ((n < 1 || n > INT16_MAX) && !is_star(L)))
      complain(
          L, r,
          "results: a list of types expected; or a number from 1 to 32767 or "
          "\"*\", next to result");
    r->spec->nresults = is_star(L) ? PH_RESULTS_SAID : (uint16_t)n;
  }
  lua_pop(L, 1);
}

/* 1, 0, or -1 if the field is absent. */
static int take_flag(lua_State *L, const reader *r, const char *name) {
  int type = pl_arg_field(L, r->at, name);
  int flag = type == LUA_TNIL ? -1 : lua_toboolean(L, -1);
  if (type != LUA_TNIL && type != LUA_TBOOLEAN)
    complain(L, r, "%s: boolean expected, got %s", name, lua_typename(L, type));
  lua_pop(L, 1);
  return flag;
}

/* Returns the effect that is given, or -1 if none is. */
static int take_effect(lua_State *L, const reader *r) {
  int effect = -1;
  if (pl_arg_field(L, r->at, "effect") != LUA_TNIL) {
    if (lua_type(L, -1) == LUA_TSTRING)
      for (int e = PH_EFFECT_WRITE; e <= PH_EFFECT_NONE; e++)
        if (strcmp(lua_tostring(L, -1), ph_effect_name((ph_effect)e)) == 0)
          effect = e;
    if (effect < 0)
      complain(L, r,
               "effect: \"none\", \"read\", \"new\" or \"write\" expected, "
               "got %s",
               pl_error_got(L, -1));
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
    complain(L, r, "pure = true is effect = \"none\", not \"%s\"", name);
  if ((effect == PH_EFFECT_READ || effect == PH_EFFECT_NEW) &&
      r->spec->result == PH_NOTYPE && !(r->spec->flags & PH_TRAPS))
    complain(L, r, "effect = \"%s\", but no result", name);
}

/* Returns the names of the classes in a field, NULL at the end; or NULL. */
static const char *const *take_classes(lua_State *L, const reader *r,
                                       const char *field) {
  const char **names = NULL;
  if (pl_arg_field(L, r->at, field) != LUA_TNIL) {
    lua_Integer n = check_list(L, r, field);
    if (n > PH_CLASSES_MOST)
      complain(L, r, "%s: more than %d classes", field, PH_CLASSES_MOST);
    names = new_anchored(L, ((size_t)n + 1) * sizeof *names);
    for (lua_Integer i = 0; i < n; i++) {
      lua_rawgeti(L, -1, i + 1);
      if (!is_name(L, -1))
        complain(L, r, "%s: an identifier expected, got %s", field,
                 pl_error_got(L, -1));
      if (!ph_effects_isclass((ph_str){lua_tostring(L, -1), lua_rawlen(L, -1)}))
        complain(L, r,
                 "%s: \"all\" cannot be in a list: everything is what an op "
                 "has without this field",
                 field);
      names[i] = anchor_name(L, -1);
      lua_pop(L, 1);
    }
  }
  lua_pop(L, 1);
  return names;
}

/* Takes the classes; returns the effect, which follows from them unless it is
** given. */
static int take_reads_writes(lua_State *L, const reader *r, int effect,
                             int pure) {
  const char *const *reads = take_classes(L, r, "reads");
  const char *const *writes = take_classes(L, r, "writes");
  r->spec->reads = reads;
  r->spec->writes = writes;
  if (reads == NULL && writes == NULL) return effect;
  if (pure == 1 || effect == PH_EFFECT_NONE || effect == PH_EFFECT_NEW)
    complain(L, r, "reads and writes, but no effect \"read\" or \"write\"");
  if (writes != NULL && (writes[0] == NULL || effect == PH_EFFECT_READ))
    complain(L, r,
             "writes: an op that writes nothing has effect = \"read\" "
             "and no such field");
  if (effect >= 0) return effect;
  return writes != NULL ? PH_EFFECT_WRITE : PH_EFFECT_READ;
}

static void take_flags(lua_State *L, const reader *r) {
  int pure = take_flag(L, r, "pure"), effect = take_effect(L, r);
  bool ends = take_flag(L, r, "terminator") == 1;
  int traps = take_flag(L, r, "traps");
  bool commutes = take_flag(L, r, "commutative") == 1;
  effect = take_reads_writes(L, r, effect, pure);
  if (ends && (effect >= 0 || traps >= 0))
    complain(L, r, "effect, reads, writes and traps are not for a terminator");
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

static int compile_text(lua_State *L, void *ud) {
  pl_templates *t = ud;
  pl_template_start(L, t);
  for (size_t i = 0; i < sizeof options / sizeof *options; i++)
    memcpy(t->flags[t->nflags++], options[i], strlen(options[i]) + 1);
  pl_template_compile(L, t, lua_gettop(L), NULL);
  return 0;
}

/* Raises an error if the text on top is not a row of the op. */
static void check_text(lua_State *L, const reader *r, int which) {
  pl_templates t = {.may = pl_template_saying(r->spec, which == PL_OP_LLVM)};
  int status;
  t.may.few = which == PL_OP_LUA;
  lua_pushvalue(L, -1);
  status = pl_protect_run(L, compile_text, &t, 1);
  pl_template_done(L, &t);
  if (status == LUA_ERRRUN && !pl_memory_israised(L))
    complain(L, r, "%s: %s", functions[which], lua_tostring(L, -1));
  if (status != LUA_OK) lua_error(L);
  lua_pop(L, 1);
}

/* What it says is looked at when it is used, by phial.rules.terms. */
static void check_smt(lua_State *L, const reader *r, int type) {
  if (type != LUA_TSTRING) complain(L, r, "smt: text expected");
  if (r->spec->effect != PH_EFFECT_NONE || r->spec->nresults > 1 ||
      r->spec->result == PH_NOTYPE)
    complain(L, r, "smt, but not pure, or not of one result");
}

static void check_functions(lua_State *L, const reader *r) {
  for (int i = 0; i < PL_OP_FUNCTIONS; i++) {
    int type = pl_arg_field(L, r->at, functions[i]);
    bool may_be_text = i == PL_OP_LLVM || i == PL_OP_C || i == PL_OP_LUA;
    if (type == LUA_TSTRING && may_be_text)
      check_text(L, r, i);
    else if (type != LUA_TNIL && i == PL_OP_SMT)
      check_smt(L, r, type);
    else if (type != LUA_TNIL && type != LUA_TFUNCTION)
      complain(L, r, "%s: function%s expected", functions[i],
               may_be_text ? " or text" : "");
    lua_pop(L, 1);
  }
}

bool pl_dialect_op_findfunction(const char *name, pl_opfunction *which) {
  for (int i = 0; i < PL_OP_FUNCTIONS; i++)
    if (strcmp(name, functions[i]) == 0) {
      *which = (pl_opfunction)i;
      return true;
    }
  return false;
}

/* }== The handle ===================================================== */

/* Pushes the handle of the op. */
static void push_op(lua_State *L, const reader *r) {
  pl_ophandle *o = lua_newuserdatauv(L, sizeof *o, 1 + PL_OP_FUNCTIONS);
  o->dialect = r->d;
  o->index = (uint32_t)(r->spec - r->d->ops);
  o->env = take_flag(L, r, "env") == 1;
  pl_userdata_setkind(L, PL_KIND_OP);
  lua_pushvalue(L, AT_DIALECT);
  lua_setiuservalue(L, -2, ITS_DIALECT);
  for (int i = 0; i < PL_OP_FUNCTIONS; i++) {
    pl_arg_field(L, r->at, functions[i]);
    lua_setiuservalue(L, -2, FIRST_FUNCTION + i);
  }
}

/* Reads the description at `at` into *spec, which is in the array d->ops and
** has its name, and pushes the op's handle. */
static void read_op(lua_State *L, const ph_dialect *d, ph_opspec *spec,
                    int at) {
  const reader r = {d, spec, at};
  check_fields(L, &r);
  if (pl_arg_field(L, r.at, "args") == LUA_TTABLE) {
    lua_Integer n;
    r.spec->args = take_list(L, &r, "args", &n);
    r.spec->nargs = (int)n;
  } else {
    r.spec->nargs = take_count(
        L, &r, "args: a number up to 32767, a list of types or \"*\" expected");
  }
  lua_pop(L, 1);
  take_result(L, &r);
  take_flags(L, &r);
  take_terminator(L, &r);
  if (pl_arg_field(L, r.at, "cost") != LUA_TNIL) {
    lua_Integer cost = lua_tointeger(L, -1);
    if (!lua_isinteger(L, -1) || cost < 1 || cost > UINT16_MAX)
      complain(L, &r, "cost: a number from 1 to 65535 expected");
    r.spec->cost = (uint16_t)cost;
  }
  lua_pop(L, 1);
  check_functions(L, &r);
  push_op(L, &r);
}

void pl_dialect_op_pushfunction(lua_State *L, int at, pl_opfunction which) {
  lua_getiuservalue(L, at, FIRST_FUNCTION + (int)which);
}

void pl_dialect_pusheval(lua_State *L, const ph_func *f, ph_op op) {
  const pl_ophandle *o;
  lua_getfield(L, -1, ph_op_name(f, op).at);
  o = pl_userdata_test(L, lua_gettop(L), PL_KIND_OP);
  if (o == NULL || o->env)
    lua_pushnil(L);
  else
    pl_dialect_op_pushfunction(L, -1, PL_OP_EVAL);
  lua_replace(L, -3);
  lua_pop(L, 1);
}

/* }== Types and ops ================================================== */

static void take_types(lua_State *L, ph_dialect *d) {
  const char **names;
  ph_type clash;
  lua_Integer n;
  if (lua_isnil(L, AT_TYPES)) return;
  n = pl_arg_list(L, AT_TYPES, AT_TYPES, "");
  if (n > PL_DIALECT_TYPES)
    pl_error_plainarg(L, AT_TYPES, "more than %d types", PL_DIALECT_TYPES);
  names = new_anchored(L, (size_t)n * sizeof *names);
  d->types = names;
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, AT_TYPES, i);
    if (!is_name(L, -1))
      pl_error_plainarg(L, AT_TYPES, "a list of names of types expected");
    if (find_type(d, lua_tostring(L, -1), &clash))
      pl_error_plainarg(L, AT_TYPES, "type '%s' exists already",
                        lua_tostring(L, -1));
    names[d->ntypes++] = anchor_name(L, -1);
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
  for (lua_pushnil(L); lua_next(L, AT_OPS) != 0; lua_pop(L, 1)) n++;
  if (n > PL_DIALECT_OPS)
    pl_error_plainarg(L, AT_OPS, "more than %d ops", PL_DIALECT_OPS);
  specs = new_anchored(L, (size_t)n * sizeof *specs);
  for (lua_pushnil(L); d->nops < n && lua_next(L, AT_OPS) != 0;) {
    if (!is_name(L, -2) || !lua_istable(L, -1))
      pl_error_plainarg(L, AT_OPS,
                        "names of ops with their descriptions expected");
    specs[d->nops++].name = anchor_name(L, -2);
    lua_pop(L, 1);
  }
  lua_settop(L, AT_ANCHOR);
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
    const char *got;
    pl_arg_field(L, AT_OPS, specs[i].name);
    got = pl_arg_nottable(L, description);
    if (got != NULL)
      pl_error_plainarg(L, AT_OPS, "op '%s': table expected, got %s",
                        specs[i].name, got);
    read_op(L, d, &specs[i], description);
    d->classes |= specs[i].reads != NULL || specs[i].writes != NULL;
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

const ph_dialect *pl_dialect_test(lua_State *L, int at) {
  bool is_one;
  if (lua_touserdata(L, at) == NULL || !lua_getmetatable(L, at)) return NULL;
  is_one = lua_rawgetp(L, -1, &mark) == LUA_TBOOLEAN;
  lua_pop(L, 2);
  return is_one ? lua_touserdata(L, at) : NULL;
}

/* Pushes element i of the list at `list` of the option 'dialects'. */
static const ph_dialect *push_element(lua_State *L, int list, lua_Integer i) {
  const ph_dialect *d;
  lua_rawgeti(L, list, i);
  d = pl_dialect_test(L, -1);
  if (d == NULL)
    pl_error_plain(L,
                   "option 'dialects': element %I: a dialect expected, got %s",
                   (LUAI_UACINT)i, pl_error_type(L, -1));
  return d;
}

/* phial.core.dialect_room(list): how many ops, and how many types, other
** dialects can have besides those in the list */
static int l_dialect_room(lua_State *L) {
  lua_Integer nops = PL_DIALECT_OPS, ntypes = PL_DIALECT_TYPES, n;
  pl_arg_count(L, 1, 1);
  n = pl_arg_list(L, 1, 1, "");
  for (lua_Integer i = 1; i <= n; i++) {
    const ph_dialect *d = push_element(L, 1, i);
    nops -= d->nops;
    ntypes -= d->ntypes;
    lua_pop(L, 1);
  }
  lua_pushinteger(L, nops);
  lua_pushinteger(L, ntypes);
  return 2;
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
  lua_setmetatable(L, AT_DIALECT);
}

static int l_dialect(lua_State *L) {
  ph_dialect *d;
  pl_arg_count(L, 2, 3);
  pl_arg_str(L, AT_NAME);
  if (!is_name(L, AT_NAME))
    pl_error_plainarg(L, AT_NAME, "'%s' is not a name",
                      lua_tostring(L, AT_NAME));
  pl_arg_table(L, AT_OPS);
  lua_settop(L, AT_TYPES);
  d = lua_newuserdatauv(L, sizeof *d, 1);
  memset(d, 0, sizeof *d);
  lua_newtable(L);
  lua_pushvalue(L, AT_ANCHOR);
  lua_setiuservalue(L, AT_DIALECT, 1);
  d->name = anchor_name(L, AT_NAME);
  take_types(L, d);
  take_ops(L, d);
  set_metatable(L);
  lua_settop(L, AT_DIALECT);
  return 1;
}

/* }== Dialects of a function =========================================
**
** A function keeps its dialects alive by their names; their ops are numbered by
** the core.
*/

/* Keeps the dialect at `at` alive, by its name. */
static void keep_dialect(lua_State *L, int fn, int at, const ph_dialect *d) {
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  if (lua_getfield(L, -1, d->name) != LUA_TNIL)
    pl_error_plain(L, "another dialect named '%s' is attached already",
                   d->name);
  lua_pop(L, 1);
  lua_pushvalue(L, at);
  lua_setfield(L, -2, d->name);
  lua_pop(L, 1);
}

/* at: an absolute index.  What pushed the dialect may have run finalizers. */
static void attach_dialect(lua_State *L, pl_funcobj *h, int fn, int at,
                           const ph_dialect *d) {
  const ph_block nowhere = {0};
  pl_access_again(L, h);
  if (ph_type_ofdialect(h->f, d, PH_I1) == PH_NOTYPE) {
    pl_dialect_checkroom(L, d, h->dialects.nops, h->dialects.ntypes);
    keep_dialect(L, fn, at, d);
    pl_access_again(L, h);
    h->dialects.nops += d->nops;
    h->dialects.ntypes += d->ntypes;
  }
  pl_access_begin(h, "attaching a dialect to", nowhere);
  h->dialects.first_op = ph_op_attachdialect(h->f, d);
  h->dialects.latest = d;
  pl_access_endinner(h);
}

void pl_dialect_attach_all(lua_State *L, pl_funcobj *h, int fn, int arg) {
  lua_Integer n;
  if (lua_isnoneornil(L, arg)) return;
  n = pl_arg_list(L, 0, arg, "option 'dialects'");
  for (lua_Integer i = 1; i <= n; i++) {
    const ph_dialect *d = push_element(L, arg, i);
    attach_dialect(L, h, fn, lua_gettop(L), d);
    lua_pop(L, 1);
  }
}

void pl_dialect_attach_those(lua_State *L, pl_funcobj *h, int fn, pl_funcobj *c,
                             int from) {
  const ph_dialect *d;
  int at = lua_gettop(L) + 1;
  for (uint32_t i = 0; (d = ph_op_attached(pl_access_read(L, c), i)) != NULL;
       i++) {
    pl_funcobj_pushdialect(L, from, (ph_str){d->name, strlen(d->name)});
    attach_dialect(L, h, fn, at, d);
    lua_settop(L, at - 1);
  }
}

ph_op pl_dialect_attach_op(lua_State *L, pl_funcobj *h, int fn, int arg,
                           const ph_opspec **spec) {
  const pl_ophandle *o = pl_userdata_peek(L, h->module, arg, PL_KIND_OP);
  if (o == NULL)
    pl_error_arg(L, h, arg,
                 "op expected (a name or an op of a dialect), got %g", arg);
  if (h->dialects.latest != o->dialect) {
    int top = lua_gettop(L);
    if (fn == 0) fn = pl_handle_pushowner(L, 1);
    lua_getiuservalue(L, arg, 1);
    attach_dialect(L, h, fn, lua_gettop(L), o->dialect);
    lua_settop(L, top);
  }
  if (spec != NULL) *spec = &o->dialect->ops[o->index];
  return (ph_op)(h->dialects.first_op + o->index);
}

/* }=================================================================== */

const pl_method pl_dialect_methods[] = {
    {PL_OF_MODULE, "dialect", l_dialect},
    {PL_OF_MODULE, "dialect_room", l_dialect_room},
    {0},
};
