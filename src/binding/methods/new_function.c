/* new_function.c: phial.fn(name, params, result, opts). */
#include "binding/methods/new_function.h"

#include <stddef.h>
#include <string.h>

#include "binding/args/dialect.h"
#include "binding/methods/log.h"
#include "binding/rules/callback.h"
#include "binding/rules/ruleset.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/funcobj.h"
#include "binding/state/method.h"

/* Stack indices: the arguments, options that are needed later, the function. */
enum {
  ARG_NAME = 1,
  ARG_PARAMS,
  ARG_RESULT,
  ARG_OPTS,
  TYPE,
  UNDEF,
  DIALECTS,
  RULES,
  LOG,
  FN
};

static const ph_block nowhere = {0};

/*
** {== Options ========================================================
*/

typedef struct {
  ph_options core;
  pl_where where;
  pl_undef_policy policy;
  bool strict, split;
  uint32_t applications;
  pl_logging logging;
} given;

const char *const pl_constructions[PL_CONSTRUCTIONS] = {
    [PH_MARKER] = "marker",
    [PH_SIMPLE] = "simple",
    [PH_SCC] = "scc",
    [PH_OPERAND] = "operand",
};

static void take_construction(lua_State *L, given *o) {
  int choice = pl_arg_choiceopt(L, ARG_OPTS, "construction", pl_constructions,
                                PL_CONSTRUCTIONS);
  o->core.construction = (ph_construction)choice;
}

static void keep_option(lua_State *L, int at) {
  lua_pushvalue(L, -1);
  lua_replace(L, at);
}

static void take_undef(lua_State *L, given *o) {
  const char *s = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "";
  if (lua_isfunction(L, -1))
    o->policy = PL_UNDEF_CALL;
  else if (strcmp(s, "error") == 0)
    o->policy = PL_UNDEF_ERROR;
  else if (strcmp(s, "undef") == 0)
    o->policy = PL_UNDEF_VALUE;
  else
    pl_error_plainarg(L, ARG_OPTS,
                      "option 'undef': \"undef\", \"error\" or a function "
                      "expected, got %s",
                      pl_error_got(L, -1));
  if (o->policy == PL_UNDEF_CALL) o->core.undefs = PH_UNDEF_ASK;
}

static void take_linkage(lua_State *L, given *o) {
  static const char *const choices[] = {"external", "internal"};
  o->core.internal = pl_arg_choiceopt(L, ARG_OPTS, "linkage", choices, 2) != 0;
}

static void take_applications(lua_State *L, given *o) {
  lua_Integer n = lua_tointeger(L, -1);
  if (!lua_isinteger(L, -1) || n < 0 || n > UINT32_MAX)
    pl_error_plainarg(
        L, ARG_OPTS,
        "option 'applications': an integer from 0 expected, got %s",
        pl_error_got(L, -1));
  o->applications = (uint32_t)n;
}

static void take_where(lua_State *L, given *o) {
  int type = lua_type(L, -1);
  if (type == LUA_TBOOLEAN)
    o->where = lua_toboolean(L, -1) ? PL_WHERE_BLOCKS : PL_WHERE_NONE;
  else if (type == LUA_TSTRING && strcmp(lua_tostring(L, -1), "all") == 0)
    o->where = PL_WHERE_ALL;
  else
    pl_error_plainarg(L, ARG_OPTS,
                      "option 'where': true, false or \"all\" expected, got %s",
                      pl_error_got(L, -1));
}

static void take_rules(lua_State *L, given *o) {
  bool any = lua_toboolean(L, -1);
  (void)o;
  if (any && pl_userdata_test(L, lua_gettop(L), PL_KIND_RULES) == NULL)
    pl_error_plainarg(L, ARG_OPTS,
                      "option 'rules': phial.Rules or false expected, got %s",
                      pl_error_got(L, -1));
  if (any) pl_ruleset_check(L, lua_gettop(L));
}

static void take_log(lua_State *L, given *o) {
  int from = lua_gettop(L);
  o->logging = pl_log_take(L, from, ARG_OPTS, "option 'log': ");
  if (o->logging.at != 0) {
    keep_option(L, LOG);
    o->logging.at = LOG;
  }
  lua_settop(L, from);
}

/* The options: how one is taken, and where on the stack it is kept (0: it is
** not), like the type, which is looked up by its name once dialects are
** attached; neither: it is a flag of `given`. */
static const struct {
  const char *name;
  void (*take)(lua_State *L, given *o);
  int at;
  size_t flag;
} rows[] = {
    {"construction", take_construction, 0, 0},
    {"type", NULL, TYPE, 0},
    {"copies", NULL, 0, offsetof(given, core.copies)},
    {"accesses", NULL, 0, offsetof(given, core.accesses)},
    {"undef", take_undef, UNDEF, 0},
    {"strict", NULL, 0, offsetof(given, strict)},
    {"keep_unreachable", NULL, 0, offsetof(given, core.keep_unreachable)},
    {"split", NULL, 0, offsetof(given, split)},
    {"where", take_where, 0, 0},
    {"dialects", NULL, DIALECTS, 0},
    {"rules", take_rules, RULES, 0},
    {"log", take_log, 0, 0},
    {"linkage", take_linkage, 0, 0},
    {"variadic", NULL, 0, offsetof(given, core.variadic)},
    {"applications", take_applications, 0, 0},
};
enum { ROWS = sizeof rows / sizeof *rows };

/* Takes the option on top, whose name is below. */
static void take_option(lua_State *L, given *o) {
  const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : "";
  int i = 0;
  while (i < ROWS &&
         (*name != *rows[i].name || strcmp(name, rows[i].name) != 0))
    i++;
  if (i == ROWS) {
    const char *known[ROWS];
    for (int k = 0; k < ROWS; k++) known[k] = rows[k].name;
    pl_arg_fields(L, ARG_OPTS, known, ROWS);
  }
  if (rows[i].take != NULL) rows[i].take(L, o);
  if (rows[i].at != 0)
    keep_option(L, rows[i].at);
  else if (rows[i].take == NULL)
    *(bool *)((char *)o + rows[i].flag) = pl_arg_boolopt(L, ARG_OPTS, name);
}

static given take_options(lua_State *L) {
  given o = {.core = {.construction = PH_MARKER, .undefs = PH_UNDEF_VALUE},
             .where = PL_WHERE_BLOCKS,
             .policy = PL_UNDEF_UNSAID,
             .applications = UINT32_MAX};
  if (lua_isnil(L, ARG_OPTS)) return o;
  pl_arg_table(L, ARG_OPTS);
  for (lua_pushnil(L); lua_next(L, ARG_OPTS) != 0; lua_pop(L, 1))
    take_option(L, &o);
  return o;
}

/* The default type of variables. */
static ph_type find_type(lua_State *L, pl_funcobj *h) {
  ph_type type = PH_I64;
  int is = lua_type(L, TYPE);
  if (is != LUA_TNIL &&
      (is != LUA_TSTRING || !ph_type_find(h->f, pl_arg_str(L, TYPE), &type)))
    pl_error_plainarg(L, ARG_OPTS, "option 'type': unknown type '%s'" PL_TYPES,
                      pl_error_tostring(L, TYPE));
  return type;
}

/* }== Parameters ===================================================== */

typedef struct {
  ph_str name;
  ph_type type;
  ph_passing passing;
  ph_str members; /* of the struct that it is */
} param;

/* Takes off what a description of a type ends with. */
static bool ends_with(ph_str *s, const char *suffix) {
  size_t n = strlen(suffix);
  bool is = s->n > n && memcmp(s->at + s->n - n, suffix, n) == 0;
  if (is) s->n -= n;
  return is;
}

/* "i8 zeroext", "ptr va_list" */
static ph_passing take_passing(ph_str *s) {
  if (ends_with(s, " zeroext")) return PH_ZEROEXT;
  if (ends_with(s, " signext")) return PH_SIGNEXT;
  return ends_with(s, " va_list") ? PH_VALIST : PH_PLAIN;
}

/* "ptr byval {i32, f64}"; takes off the members, too. */
static ph_passing take_struct(ph_str *s, ph_str *members) {
  const char *brace = s->n > 0 ? memchr(s->at, '{', s->n) : NULL;
  ph_passing passing;
  ph_str type;
  if (brace == NULL) return PH_PLAIN;
  type = (ph_str){s->at, (size_t)(brace - s->at)};
  while (type.n > 0 && type.at[type.n - 1] == ' ') type.n--;
  if (ends_with(&type, " byval"))
    passing = PH_BYVAL;
  else if (ends_with(&type, " sret"))
    passing = PH_SRET;
  else
    return PH_PLAIN;
  *members = (ph_str){brace, s->n - (size_t)(brace - s->at)};
  *s = type;
  return passing;
}

/* What is wrong if parameter i, from 1, or the result (0), which is of a type,
** is said to be passed so; NULL: nothing. */
static const char *why_not(ph_type type, uint32_t i, ph_passing passing) {
  if (passing == PH_PLAIN || ph_type_canpass(type, i, passing)) return NULL;
  return ph_passing_demand(passing);
}

/* The same of a parameter that may be a struct. */
static const char *why_not_param(const ph_func *f, const param *p, uint32_t i) {
  const char *why = why_not(p->type, i, p->passing);
  if (why != NULL || p->passing < PH_BYVAL) return why;
  if (!ph_struct_is(f, p->members))
    return "members expected, as in {i32, f64, i8[3]}, and at most 1 MiB";
  return p->passing == PH_SRET && ph_func_result(f) != PH_NOTYPE
             ? "a function whose first parameter is sret has no result"
             : NULL;
}

static int count_params(lua_State *L) {
  lua_Integer n;
  if (lua_isnoneornil(L, ARG_PARAMS)) return 0;
  n = pl_arg_list(L, ARG_PARAMS, ARG_PARAMS, "");
  if (n > PH_PARAMS_MAX)
    pl_error_plainarg(L, ARG_PARAMS, "%d parameters: a function has at most %d",
                      (int)n, PH_PARAMS_MAX);
  return (int)n;
}

static const char *last_colon(ph_str s) {
  const char *p = s.at + s.n;
  while (p > s.at && p[-1] != ':') p--;
  return p > s.at ? p - 1 : NULL;
}

/* Parameter i, described by the string on top. */
static param take_param(lua_State *L, pl_funcobj *h, int i) {
  param p = {{"", 0}, h->type, PH_PLAIN, {"", 0}};
  const char *colon, *why;
  if (lua_type(L, -1) != LUA_TSTRING)
    pl_error_plainarg(L, ARG_PARAMS,
                      "parameter %d: \"name:type\" expected, got %s", i,
                      pl_error_type(L, -1));
  p.name = pl_arg_str(L, -1);
  colon = last_colon(p.name);
  if (colon != NULL) {
    ph_str type = {colon + 1, p.name.n - (size_t)(colon + 1 - p.name.at)};
    p.name.n = (size_t)(colon - p.name.at);
    p.passing = take_passing(&type);
    if (p.passing == PH_PLAIN) p.passing = take_struct(&type, &p.members);
    if (!ph_type_find(h->f, type, &p.type))
      pl_error_plainarg(L, ARG_PARAMS,
                        "parameter %d: unknown type '%s'" PL_TYPES, i,
                        colon + 1);
    why = why_not_param(h->f, &p, (uint32_t)i);
    if (why != NULL)
      pl_error_arg(L, h, ARG_PARAMS, "parameter %d is of type %t: %s", i,
                   p.type, why);
  }
  if (p.name.n == 0)
    pl_error_plainarg(L, ARG_PARAMS, "parameter %d has no name", i);
  return p;
}

static void make_param(pl_funcobj *h, param p) {
  ph_block entry = ph_block_entry(h->f);
  ph_value arg = ph_value_newparam(h->f, p.name, p.type);
  ph_var var = ph_var_new(h->f, p.name, p.type);
  if (p.passing >= PH_BYVAL)
    ph_func_setstruct(h->f, ph_value_nparams(h->f), p.passing, p.members);
  else if (p.passing != PH_PLAIN)
    ph_func_setpassing(h->f, ph_value_nparams(h->f), p.passing);
  if (h->first_var == 0) h->first_var = var.id;
  ph_build_write(h->f, var, entry, arg);
}

static void make_params(lua_State *L, pl_funcobj *h, int n) {
  for (int i = 1; i <= n; i++) {
    param p;
    lua_rawgeti(L, ARG_PARAMS, i);
    p = take_param(L, h, i);
    pl_access_begin(h, "making", nowhere);
    if (h->places.where != PL_WHERE_NONE) pl_access_place(h, h->places.made);
    make_param(h, p);
    pl_access_end(h);
    lua_pop(L, 1);
  }
}

/* }== The function =================================================== */

/* The type of the result and how it is passed; among the arguments, leaves its
** name without that. */
static ph_type take_result(lua_State *L, pl_funcobj *h, ph_passing *passing) {
  ph_type type;
  const char *why;
  *passing = PH_PLAIN;
  if (lua_isnil(L, ARG_RESULT)) return PH_NOTYPE;
  if (lua_type(L, ARG_RESULT) == LUA_TSTRING) {
    ph_str s = pl_arg_str(L, ARG_RESULT);
    *passing = take_passing(&s);
    lua_pushlstring(L, s.at, s.n);
    lua_replace(L, ARG_RESULT);
  }
  type = pl_arg_type(L, h, ARG_RESULT);
  why = why_not(type, 0, *passing);
  if (why != NULL)
    pl_error_arg(L, h, ARG_RESULT, "it is of type %t: %s", type, why);
  return type;
}

/* Takes a list of the types of the results; returns their number. */
static uint32_t take_results(lua_State *L, pl_funcobj *h, ph_type *types) {
  lua_Integer n = pl_arg_list(L, ARG_RESULT, ARG_RESULT, "");
  if (n > PH_RESULTS_MAX)
    pl_error_plainarg(L, ARG_RESULT, "%I results: a function has at most %d",
                      (LUAI_UACINT)n, PH_RESULTS_MAX);
  for (lua_Integer i = 0; i < n; i++) {
    lua_rawgeti(L, ARG_RESULT, i + 1);
    if (lua_type(L, -1) != LUA_TSTRING)
      pl_error_plainarg(L, ARG_RESULT,
                        "result %I: name of a type expected, got %s",
                        (LUAI_UACINT)i + 1, pl_error_type(L, -1));
    if (!ph_type_find(h->f, pl_arg_str(L, -1), &types[i]))
      pl_error_plainarg(L, ARG_RESULT, "result %I: unknown type '%s'" PL_TYPES,
                        (LUAI_UACINT)i + 1, lua_tostring(L, -1));
    lua_pop(L, 1);
  }
  return (uint32_t)n;
}

static void init_function(lua_State *L, pl_funcobj *h, ph_str name,
                          const ph_options *options) {
  ph_passing passing = PH_PLAIN;
  ph_type types[PH_RESULTS_MAX] = {PH_NOTYPE};
  uint32_t n = 1;
  if (lua_istable(L, ARG_RESULT))
    n = take_results(L, h, types);
  else
    types[0] = take_result(L, h, &passing);
  pl_access_begin(h, "making", nowhere);
  ph_func_init(h->f, name, types[0], options);
  if (n > 1) ph_func_setresults(h->f, types, n);
  if (passing != PH_PLAIN) ph_func_setpassing(h->f, 0, passing);
  h->places.made = pl_access_caller(L, h);
  pl_access_end(h);
}

/* Uses the set that is given, or the standard one. */
static void start_rules(lua_State *L, pl_funcobj *h) {
  bool standard = lua_isnil(L, RULES);
  if (standard) {
    pl_ruleset_pushstandard(L);
    lua_replace(L, RULES);
  }
  if (!lua_toboolean(L, RULES)) return;
  if (!standard) pl_ruleset_attach(L, h, FN, RULES);
  pl_callback_start(L, h, FN, RULES);
}

int pl_new_function(lua_State *L) {
  given o;
  pl_funcobj *h;
  int n;
  pl_arg_count(L, 1, 4);
  pl_arg_str(L, ARG_NAME);
  lua_settop(L, LOG);
  o = take_options(L);
  n = count_params(L);
  h = pl_funcobj_new(L);
  h->undef_policy = o.policy;
  h->strict = o.strict;
  h->split = o.split;
  h->places.where = PL_WHERE_BLOCKS; /* of the function itself, always */
  if (h->undef_policy == PL_UNDEF_CALL)
    pl_funcobj_keep(L, FN, PL_KEPT_UNDEF, UNDEF);
  pl_dialect_attach_all(L, h, FN, DIALECTS);
  h->type = find_type(L, h);
  init_function(L, h, pl_arg_str(L, ARG_NAME), &o.core);
  h->places.where = o.where;
  make_params(L, h, n);
  start_rules(L, h);
  if (h->rules != NULL) ph_peephole_limit(h->f, o.applications);
  /* last: the entry and the parameters are not logged */
  pl_access_return(L, h, 1);
  if (o.logging.keeps || o.logging.at != 0) {
    pl_log_start(L, h, FN, o.logging);
    lua_settop(L, FN);
  }
  return 1;
}

/* }=================================================================== */

const pl_method pl_new_function_methods[] = {
    {PL_OF_MODULE, "fn", pl_new_function},
    {0},
};
