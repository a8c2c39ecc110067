/* maker.c: phial.fn(name, params, result, opts). */
#include <string.h>

#include "binding/rules.h"

/* Stack indices: the arguments, then the function. */
enum { ARG_NAME = 1, ARG_PARAMS, ARG_RESULT, ARG_OPTS, FN };

static const ph_block nowhere = {0};

/*
** {== Options ========================================================
*/

static ph_where take_where(lua_State *L) {
  int type = ph_arg_field(L, ARG_OPTS, "where");
  ph_where where = PH_WHERE_BLOCKS;
  if (type == LUA_TBOOLEAN && !lua_toboolean(L, -1))
    where = PH_WHERE_NONE;
  else if (type == LUA_TSTRING && strcmp(lua_tostring(L, -1), "all") == 0)
    where = PH_WHERE_ALL;
  else if (type != LUA_TNIL && type != LUA_TBOOLEAN)
    ph_fail_plainarg(L, ARG_OPTS,
                     "option 'where': true, false or \"all\" expected, got %s",
                     luaL_tolstring(L, -1, NULL));
  lua_pop(L, 1);
  return where;
}

static ph_policy take_policy(lua_State *L) {
  int type = ph_arg_field(L, ARG_OPTS, "undef");
  const char *s = type == LUA_TSTRING ? lua_tostring(L, -1) : "";
  ph_policy policy = PH_POLICY_VALUE;
  if (type == LUA_TFUNCTION)
    policy = PH_POLICY_CALL;
  else if (strcmp(s, "error") == 0)
    policy = PH_POLICY_ERROR;
  else if (type != LUA_TNIL && strcmp(s, "undef") != 0)
    ph_fail_plainarg(L, ARG_OPTS,
                     "option 'undef': \"undef\", \"error\" or a function "
                     "expected, got %s",
                     luaL_tolstring(L, -1, NULL));
  lua_pop(L, 1);
  return policy;
}

static void check_rules(lua_State *L) {
  int type = ph_arg_field(L, ARG_OPTS, "rules");
  bool any = lua_toboolean(L, -1);
  if (any && ph_handle_test(L, lua_gettop(L), PH_UP_RULES) == NULL)
    ph_fail_plainarg(L, ARG_OPTS,
                     "option 'rules': phial.Rules or false expected, got %s",
                     lua_typename(L, type));
  if (any) ph_rules_check(L, lua_gettop(L));
  lua_pop(L, 1);
}

/* The set that is given, or the standard one. */
static void start_rules(lua_State *L, ph_host *h) {
  bool given = ph_arg_field(L, ARG_OPTS, "rules") != LUA_TNIL;
  if (!given) {
    lua_pop(L, 1);
    ph_rules_pushstandard(L);
  }
  if (lua_toboolean(L, -1)) {
    if (given) ph_rules_attach(L, h, FN, lua_gettop(L));
    ph_hook_start(L, h, FN, lua_gettop(L));
  }
  lua_pop(L, 1);
}

static ph_options take_options(lua_State *L, ph_policy policy) {
  static const char *const constructions[] = {"marker", "simple"};
  ph_options o;
  o.construction =
      ph_arg_choice(L, ARG_OPTS, "construction", constructions, 2) == 0
          ? PH_MARKER
          : PH_SIMPLE;
  o.undefs = policy == PH_POLICY_CALL ? PH_UNDEF_ASK : PH_UNDEF_VALUE;
  o.copies = ph_arg_boolfield(L, ARG_OPTS, "copies", false);
  return o;
}

/* Keeps the undef function. */
static void keep_undef(lua_State *L, ph_host *h) {
  if (h->policy != PH_POLICY_CALL) return;
  lua_getiuservalue(L, FN, PH_ITS_KEPT);
  ph_arg_field(L, ARG_OPTS, "undef");
  lua_rawseti(L, -2, PH_KEPT_UNDEF);
  lua_pop(L, 1);
}

/* From here on: the entry and the parameters are there already. */
static void start_log(lua_State *L, ph_host *h) {
  if (ph_arg_field(L, ARG_OPTS, "log") != LUA_TNIL)
    ph_log_start(L, h, FN, FN + 1);
  lua_pop(L, 1);
}

static void check_log(lua_State *L) {
  int type = ph_arg_field(L, ARG_OPTS, "log");
  if (type != LUA_TNIL && type != LUA_TFUNCTION)
    ph_fail_plainarg(L, ARG_OPTS, "option 'log': a function expected, got %s",
                     lua_typename(L, type));
  lua_pop(L, 1);
}

static void attach_dialects(lua_State *L, ph_host *h) {
  ph_arg_field(L, ARG_OPTS, "dialects");
  ph_attach_all(L, h, FN, FN + 1);
  lua_pop(L, 1);
}

/* The default type of variables. */
static void take_type(lua_State *L, ph_host *h) {
  ph_type type = PH_I64;
  int is = ph_arg_field(L, ARG_OPTS, "type");
  if (is != LUA_TNIL && (is != LUA_TSTRING ||
                         !ph_op_findtype(h->f, ph_arg_str(L, FN + 1), &type)))
    ph_fail_plainarg(L, ARG_OPTS, "option 'type': unknown type '%s'",
                     luaL_tolstring(L, -1, NULL));
  h->type = type;
  lua_pop(L, 1);
}

/* }== Parameters ===================================================== */

typedef struct {
  ph_str name;
  ph_type type;
} param;

static int count_params(lua_State *L) {
  lua_Integer n, found = 0;
  if (lua_isnoneornil(L, ARG_PARAMS)) return 0;
  ph_arg_table(L, ARG_PARAMS);
  n = (lua_Integer)lua_rawlen(L, ARG_PARAMS);
  for (lua_pushnil(L); lua_next(L, ARG_PARAMS) != 0; lua_pop(L, 1)) found++;
  if (n != found)
    ph_fail_plainarg(L, ARG_PARAMS,
                     "a list of parameters \"name:type\" expected");
  return (int)n;
}

static const char *last_colon(ph_str s) {
  const char *p = s.at + s.n;
  while (p > s.at && p[-1] != ':') p--;
  return p > s.at ? p - 1 : NULL;
}

/* The parameter of which the spec lies on top. */
static param take_param(lua_State *L, ph_host *h, int i) {
  param p = {{"", 0}, h->type};
  const char *colon;
  if (lua_type(L, -1) != LUA_TSTRING)
    ph_fail_plainarg(L, ARG_PARAMS,
                     "parameter %d: \"name:type\" expected, got %s", i,
                     luaL_typename(L, -1));
  p.name = ph_arg_str(L, -1);
  colon = last_colon(p.name);
  if (colon != NULL) {
    ph_str type = {colon + 1, p.name.n - (size_t)(colon + 1 - p.name.at)};
    p.name.n = (size_t)(colon - p.name.at);
    if (!ph_op_findtype(h->f, type, &p.type))
      ph_fail_plainarg(L, ARG_PARAMS, "parameter %d: unknown type '%s'", i,
                       type.at);
  }
  if (p.name.n == 0)
    ph_fail_plainarg(L, ARG_PARAMS, "parameter %d has no name", i);
  return p;
}

static void make_param(ph_host *h, param p) {
  ph_block entry = ph_ir_entry(h->f);
  ph_value arg = ph_ir_param(h->f, p.name, p.type);
  ph_var var = ph_ir_var(h->f, p.name, p.type);
  if (h->first_var == 0) h->first_var = var.id;
  ph_build_write(h->f, var, entry, arg);
}

static void make_params(lua_State *L, ph_host *h, int n) {
  for (int i = 1; i <= n; i++) {
    param p;
    lua_rawgeti(L, ARG_PARAMS, i);
    p = take_param(L, h, i);
    ph_host_begin(h, "making", nowhere);
    ph_host_here(L, h, PH_WHERE_BLOCKS);
    make_param(h, p);
    ph_host_end(h);
    lua_pop(L, 1);
  }
}

/* }=================================================================== */

static void start(lua_State *L, ph_host *h, ph_str name,
                  const ph_options *options) {
  ph_type result = PH_NOTYPE;
  if (!lua_isnil(L, ARG_RESULT)) result = ph_arg_type(L, h, ARG_RESULT);
  ph_host_begin(h, "making", nowhere);
  ph_func_init(h->f, name, result, options);
  ph_host_end(h);
}

int ph_maker_new(lua_State *L) {
  static const char *const known[] = {"construction", "type",   "copies",
                                      "undef",        "strict", "where",
                                      "dialects",     "rules",  "log"};
  ph_policy policy;
  ph_options options;
  ph_where where;
  ph_host *h;
  int n;
  ph_arg_count(L, 1, 4);
  ph_arg_str(L, ARG_NAME);
  lua_settop(L, ARG_OPTS);
  ph_arg_fields(L, ARG_OPTS, known, 9);
  check_rules(L);
  check_log(L);
  policy = take_policy(L);
  options = take_options(L, policy);
  where = take_where(L);
  n = count_params(L);
  h = ph_host_new(L);
  h->policy = policy;
  h->strict = ph_arg_boolfield(L, ARG_OPTS, "strict", false);
  keep_undef(L, h);
  attach_dialects(L, h);
  take_type(L, h);
  start(L, h, ph_arg_str(L, ARG_NAME), &options);
  h->where = where;
  make_params(L, h, n);
  start_rules(L, h);
  start_log(L, h);
  return ph_host_done(L, h, 1);
}
