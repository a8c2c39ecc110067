/* rule_check.c: R:check(opts) and R:lint().
**
** A check runs as a whole in protected mode: whatever ends it early (an error of
** a callback, a stack overflow, no memory), the set is as it was, and what the
** core has used for it is freed.  An action needs a function to emit into: for
** each set of constants that is tried, phial.fn makes one whose only rule is
** that of the action; it is closed before the next one is made.
*/
#include <string.h>

#include "binding/args/dialect.h"
#include "binding/args/payload.h"
#include "binding/methods/new_function.h"
#include "binding/rules/callback.h"
#include "binding/rules/ruleset.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/funcobj.h"
#include "binding/state/method.h"

/* Stack indices: the arguments, the list of answers, those of them that are of
** rules not checked, values that the core knows by number (by type: lists of
** samples; results), the set with the rule of an action, a userdata whose user
** value is the function of that action; in protected mode also that function. */
enum { SET = 1, OPTS, VERDICTS, UNCHECKED, OWN, SET_ALONE, BOX, SCRATCH };

/* Where in OWN, by no type's number, the cases of option 'samples' are. */
enum { GIVEN = PH_NOTYPE };

/* The samples of data follow those of `any` in their list; at twice the number
** of the op after this: how many values precede them, and how many they are. */
enum { DATA = 1 << 20 };

typedef struct {
  lua_State *L;
  pl_ruleset *r;
  const ph_check_options *how;
  uint32_t rule; /* in the set at SET_ALONE; 0: none */
  uint32_t any;  /* the number of samples of `any` */
  bool wrong;
} checking;

/*
** {== Questions ======================================================
*/

/* Closes the function of the action that was tried last, if any: handles that
** the action has kept are of a function that is closed. */
static void close_action(lua_State *L) {
  pl_funcobj *h;
  lua_getiuservalue(L, BOX, 1);
  h = pl_userdata_test(L, lua_gettop(L), PL_KIND_FUNC);
  if (h != NULL) pl_funcobj_close(L, h);
  lua_pop(L, 1);
}

/* Runs body(L, c) with the stack as it is; it returns nothing. */
static void ask_protected(checking *c, const char *doing,
                          pl_protect_body *body) {
  lua_State *L = c->L;
  pl_ruleset *r = c->r;
  int status;
  lua_settop(L, SET_ALONE);
  lua_newuserdatauv(L, 0, 1);
  luaL_checkstack(L, BOX + 4, NULL);
  for (int i = 1; i <= BOX; i++) lua_pushvalue(L, i);
  r->doing = doing;
  r->collecting = true;
  status = pl_protect_run(L, body, c, BOX);
  r->collecting = false;
  r->doing = NULL;
  pl_ruleset_resume(L, r);
  close_action(L);
  ph_ruleset_abandon(r->set);
  ph_strbuf_done(&r->buf);
  if (status != LUA_OK) lua_error(L);
  lua_settop(L, SET_ALONE);
}

/* }== Functions of the user ========================================== */

/* Puts the rule's name before the error on top, if it is a string. */
static void name_rule(checking *c, uint32_t rule) {
  lua_State *L = c->L;
  ph_strbuf *b = &c->r->buf;
  if (lua_type(L, -1) != LUA_TSTRING) return;
  b->n = 0;
  pl_ruleset_say(b, c->r->set, rule);
  ph_strbuf_puts(b, ": ");
  lua_pushlstring(L, b->at, b->n);
  lua_insert(L, -2);
  lua_concat(L, 2);
}

static bool is_own(ph_type type) { return type >= PH_ANY; }

static void push_own(lua_State *L, ph_type type, lua_Integer number) {
  if (number < 0) {
    lua_rawgeti(L, OWN, number);
    return;
  }
  lua_rawgeti(L, OWN, type);
  lua_rawgeti(L, -1, number);
  lua_replace(L, -2);
}

static void push_given(const checking *c, const ph_callback_arg *g) {
  lua_State *L = c->L;
  const ph_func *space = ph_ruleset_space(c->r->set);
  lua_Number x;
  memcpy(&x, &g->constant.bits, sizeof x);
  if (g->constant.tag == PH_DATA_STR)
    pl_literal_push(L, space, PH_ANY, g->constant);
  else if (is_own(g->type))
    push_own(L, g->type, (lua_Integer)g->constant.bits);
  else if (g->constant.tag == PH_DATA_FLOAT)
    lua_pushnumber(L, x);
  else
    lua_pushinteger(L, (lua_Integer)g->constant.bits);
}

/* Calls the user's function below n arguments, for one result; an error other
** than of memory is the result. */
static int call_user(const checking *c, int n) {
  int status = lua_pcall(c->L, n, 1, 0);
  pl_ruleset_resume(c->L, c->r);
  if (status == LUA_ERRMEM) lua_error(c->L);
  return status;
}

/* Calls the function behind $name; false: the error is on top. */
static bool call_function(checking *c, uint32_t rule, uint32_t function,
                          const ph_callback_arg *args, uint32_t n) {
  lua_State *L = c->L;
  luaL_checkstack(L, (int)n + 8, NULL);
  lua_getiuservalue(L, SET, PL_ITS_CALLEES);
  lua_rawgeti(L, -1, (lua_Integer)function + 1);
  lua_remove(L, -2);
  for (uint32_t i = 0; i < n; i++) push_given(c, &args[i]);
  if (call_user(c, (int)n) == LUA_OK) return true;
  name_rule(c, rule);
  return false;
}

static int checked_guard(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                         const ph_callback_arg *args, uint32_t n) {
  checking *c = ud;
  int truth;
  (void)f;
  if (!call_function(c, rule, function, args, n)) return -1;
  truth = lua_toboolean(c->L, -1);
  lua_pop(c->L, 1);
  return truth;
}

/* What is not a number is kept by the number that *result has. */
static int checked_constant(void *ud, ph_func *f, uint32_t rule,
                            uint32_t function, const ph_callback_arg *args,
                            uint32_t n, ph_type type, ph_data *result) {
  checking *c = ud;
  lua_State *L = c->L;
  if (!call_function(c, rule, function, args, n)) return -1;
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return 0;
  }
  if (!pl_callback_isconstant(L, type)) {
    lua_pushfstring(L, "its function returned %s: %s or nil expected",
                    pl_error_tostring(L, -1), pl_callback_wanted(type));
    name_rule(c, rule);
    return -1;
  }
  if (type == PH_ANY) {
    lua_rawseti(L, OWN, (lua_Integer)result->bits);
    return 1;
  }
  *result = pl_literal_data(L, f, -1, type);
  lua_pop(L, 1);
  return 1;
}

/* Pushes the eval of an op of a dialect, or nil: also if it needs an env. */
static void push_eval(const checking *c, ph_op op) {
  lua_State *L = c->L;
  const ph_func *space = ph_ruleset_space(c->r->set);
  luaL_checkstack(L, 8, NULL);
  lua_getiuservalue(L, SET, PL_ITS_HELD);
  while (lua_getfield(L, -1, ph_op_dialect(space, op).at) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_rawgeti(L, -1, 1); /* its base */
    lua_replace(L, -2);
    lua_getiuservalue(L, -1, PL_ITS_HELD);
    lua_replace(L, -2);
  }
  lua_replace(L, -2);
  pl_dialect_pusheval(L, space, op);
}

static bool has_eval(void *ud, ph_op op) {
  const checking *c = ud;
  bool has;
  push_eval(c, op);
  has = lua_isfunction(c->L, -1);
  lua_pop(c->L, 1);
  return has;
}

/* Takes the result on top; false: it does not have that type. */
static bool take_result(lua_State *L, ph_type type, uint64_t *bits) {
  if (ph_type_isfloat(type)) {
    lua_Number x = lua_tonumber(L, -1);
    if (lua_type(L, -1) != LUA_TNUMBER) return false;
    if (type == PH_F32) x = (lua_Number)(float)x;
    memcpy(bits, &x, sizeof x);
    return true;
  }
  if (type == PH_I1) {
    *bits = lua_toboolean(L, -1) ? UINT64_MAX : 0;
    return lua_isboolean(L, -1);
  }
  *bits = (uint64_t)lua_tointeger(L, -1);
  return lua_isinteger(L, -1) && ph_const_fits(type, (int64_t)*bits);
}

/* An error of an eval, or a result of another type, is a trap. */
static bool call_eval(void *ud, ph_op op, const ph_callback_arg *args,
                      uint32_t n, ph_callback_arg *result) {
  const checking *c = ud;
  lua_State *L = c->L;
  bool done;
  luaL_checkstack(L, (int)n + 8, NULL);
  push_eval(c, op);
  for (uint32_t i = 0; i < n; i++) {
    if (args[i].type == PH_I1)
      lua_pushboolean(L, (args[i].constant.bits & 1) != 0);
    else
      push_given(c, &args[i]);
  }
  done = call_user(c, (int)n) == LUA_OK;
  if (done && is_own(result->type))
    lua_rawseti(L, OWN, (lua_Integer)result->constant.bits);
  else if (done)
    done = take_result(L, result->type, &result->constant.bits);
  lua_settop(L, SCRATCH);
  return done;
}

static uint32_t count_samples(void *ud, ph_type type) {
  const checking *c = ud;
  lua_Unsigned n = 0;
  if (type == PH_ANY) return c->any;
  if (lua_rawgeti(c->L, OWN, type) == LUA_TTABLE) n = lua_rawlen(c->L, -1);
  lua_pop(c->L, 1);
  return (uint32_t)n;
}

static uint32_t count_data(void *ud, ph_op op, uint32_t *before) {
  const checking *c = ud;
  lua_Integer n;
  lua_rawgeti(c->L, OWN, DATA + 2 * op);
  lua_rawgeti(c->L, OWN, DATA + 2 * op + 1);
  *before = (uint32_t)lua_tointeger(c->L, -2);
  n = lua_tointeger(c->L, -1);
  lua_pop(c->L, 2);
  return (uint32_t)n;
}

/* Looks up a variable in a case of option 'samples'. */
static bool give_value(void *ud, uint32_t number, ph_str name, ph_data *value) {
  const checking *c = ud;
  int type;
  lua_rawgeti(c->L, OWN, GIVEN);
  lua_rawgeti(c->L, -1, (lua_Integer)number + 1);
  lua_pushlstring(c->L, name.at, name.n);
  type = lua_rawget(c->L, -2);
  value->tag = PH_DATA_INT;
  if (type == LUA_TBOOLEAN) {
    value->bits = (uint64_t)lua_toboolean(c->L, -1);
  } else if (lua_isinteger(c->L, -1)) {
    value->bits = (uint64_t)lua_tointeger(c->L, -1);
  } else if (type == LUA_TNUMBER) {
    double d = lua_tonumber(c->L, -1);
    value->tag = PH_DATA_FLOAT;
    memcpy(&value->bits, &d, sizeof d);
  }
  lua_pop(c->L, 3);
  return type == LUA_TBOOLEAN || type == LUA_TNUMBER;
}

/* Tables that a comparison looks into; values may contain themselves. */
enum { TABLES = 100 };

static bool is_same_at(lua_State *L, int x, int y, int *tables);

static lua_Integer count_fields(lua_State *L, int x) {
  lua_Integer n = 0;
  for (lua_pushnil(L); lua_next(L, x) != 0; lua_pop(L, 1)) n++;
  return n;
}

/* True if each field of the table x is the same in y. */
static bool has_fields_of(lua_State *L, int y, int x, int *tables) {
  luaL_checkstack(L, 8, NULL);
  for (lua_pushnil(L); lua_next(L, x) != 0; lua_pop(L, 2)) {
    int top = lua_gettop(L);
    lua_pushvalue(L, top - 1);
    lua_rawget(L, y);
    if (!is_same_at(L, top, top + 1, tables)) return false;
  }
  return true;
}

/* Equal, two nans, or tables whose fields are the same. */
static bool is_same_at(lua_State *L, int x, int y, int *tables) {
  int top = lua_gettop(L);
  bool same = lua_compare(L, x, y, LUA_OPEQ);
  if (!same && lua_type(L, x) == LUA_TNUMBER && lua_type(L, y) == LUA_TNUMBER)
    same = !lua_compare(L, x, x, LUA_OPEQ) && !lua_compare(L, y, y, LUA_OPEQ);
  if (!same && lua_istable(L, x) && lua_istable(L, y) && --*tables >= 0)
    same = count_fields(L, x) == count_fields(L, y) &&
           has_fields_of(L, y, x, tables);
  lua_settop(L, top);
  return same;
}

static bool is_same(void *ud, ph_type type, int64_t x, int64_t y) {
  const checking *c = ud;
  int tables = TABLES;
  bool same;
  luaL_checkstack(c->L, 8, NULL);
  push_own(c->L, type, x);
  push_own(c->L, type, y);
  same = is_same_at(c->L, lua_gettop(c->L) - 1, lua_gettop(c->L), &tables);
  pl_ruleset_resume(c->L, c->r); /* __eq may have used it */
  lua_settop(c->L, SCRATCH);
  return same;
}

/* Writes a value as tostring does, but for tables that do not say how: these are
** named by their places among the samples. */
static void show_own(void *ud, ph_strbuf *b, ph_type type, int64_t x) {
  const checking *c = ud;
  lua_State *L = c->L;
  luaL_checkstack(L, 8, NULL);
  push_own(L, type, x);
  if (lua_istable(L, -1) &&
      luaL_getmetafield(L, -1, "__tostring") == LUA_TNIL) {
    ph_strbuf_puts(b, x > 0 ? "sample " : "a table");
    if (x > 0) ph_strbuf_int(b, x);
  } else {
    size_t n;
    lua_settop(L, SCRATCH + 1);
    const char *s = luaL_tolstring(L, -1, &n);
    pl_ruleset_resume(L, c->r);
    ph_strbuf_add(b, (ph_str){s, n});
  }
  lua_settop(L, SCRATCH);
}

/* What option 'facts' says of the function behind $name. */
static int has_fact(void *ud, uint32_t rule, uint32_t function,
                    const ph_callback_arg *args, uint32_t n) {
  checking *c = ud;
  lua_State *L = c->L;
  int said = -1;
  luaL_checkstack(L, (int)n + 8, NULL);
  lua_getiuservalue(L, SET, PL_ITS_CALLEES);
  if (pl_arg_field(L, OPTS, "facts") == LUA_TTABLE) {
    lua_rawgeti(L, -2, (lua_Integer)function + 1);
    if (lua_rawget(L, -2) != LUA_TNIL) {
      for (uint32_t i = 0; i < n; i++) push_given(c, &args[i]);
      if (call_user(c, (int)n) != LUA_OK) {
        name_rule(c, rule);
        return -2;
      }
      said = lua_toboolean(L, -1);
    }
  }
  lua_settop(L, SCRATCH);
  return said;
}

/* Makes a set of that rule alone, with the callbacks of the whole one. */
static void make_alone(checking *c, uint32_t rule) {
  lua_State *L = c->L;
  pl_ruleset *alone;
  pl_userdata_pushfunction(L, pl_ruleset_new, "phial.rules", 0);
  lua_call(L, 0, 1);
  lua_replace(L, SET_ALONE);
  alone = lua_touserdata(L, SET_ALONE);
  lua_getiuservalue(L, SET, PL_ITS_CALLEES);
  lua_setiuservalue(L, SET_ALONE, PL_ITS_CALLEES);
  alone->ncallees = c->r->ncallees;
  pl_ruleset_holdall(L, SET_ALONE, SET);
  ph_ruleset_includeone(alone->set, c->r->set, rule);
  c->rule = rule;
}

static ph_func *open_action(void *ud, uint32_t rule) {
  checking *c = ud;
  lua_State *L = c->L;
  pl_funcobj *h;
  luaL_checkstack(L, 12, NULL);
  if (c->rule != rule) make_alone(c, rule);
  close_action(L);
  pl_userdata_pushfunction(L, pl_new_function, "phial.fn", 0);
  lua_pushliteral(L, "check");
  lua_pushnil(L);
  lua_pushnil(L);
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, SET_ALONE);
  lua_setfield(L, -2, "rules");
  lua_call(L, 4, 1);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, BOX, 1);
  lua_replace(L, SCRATCH);
  h = lua_touserdata(L, SCRATCH);
  pl_ruleset_begin(L, h, SCRATCH);
  pl_access_begin(h, "checking rules in", (ph_block){0});
  return h->f;
}

/* A value as data of an instruction of the function of an action. */
static ph_data keep_data(void *ud, ph_func *f, int64_t x) {
  const checking *c = ud;
  lua_State *L = c->L;
  pl_funcobj *h = lua_touserdata(L, SCRATCH);
  ph_data data;
  (void)f;
  luaL_checkstack(L, 8, NULL);
  push_own(L, PH_ANY, x);
  pl_payload_keep(L, h, SCRATCH, lua_gettop(L));
  data = pl_payload_of(L, h, lua_gettop(L));
  lua_settop(L, SCRATCH);
  return data;
}

/* }== Answers ======================================================== */

static void append_to(lua_State *L, int list, ph_str text) {
  lua_pushlstring(L, text.at, text.n);
  lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

/* Appends the text to the list of answers. */
static void append_answer(void *ud, ph_str problem) {
  append_to(((checking *)ud)->L, VERDICTS, problem);
}

static void report_verdict(void *ud, const ph_check_result *checked) {
  checking *c = ud;
  ph_verdict is = checked->verdict;
  ph_strbuf *b = &c->r->buf;
  if (is == PH_RULE_FAILED) return;
  b->n = 0;
  ph_ruleset_print(b, c->r->set, checked->rule);
  ph_strbuf_puts(b, ": ");
  ph_strbuf_add(b, checked->text);
  append_answer(c, (ph_str){b->at, b->n});
  if (checked->unknown) append_to(c->L, UNCHECKED, (ph_str){b->at, b->n});
  c->wrong = c->wrong || !checked->good;
}

static uint32_t take_number(lua_State *L, const char *name, lua_Integer most) {
  lua_Integer i;
  if (pl_arg_field(L, OPTS, name) == LUA_TNIL) {
    lua_pop(L, 1);
    return 0;
  }
  i = lua_tointeger(L, -1);
  if (!lua_isinteger(L, -1) || i < 1 || i > most)
    pl_error_plainarg(L, OPTS, "option '%s': 1 to %d expected, got %s", name,
                      (int)most, pl_error_got(L, -1));
  lua_pop(L, 1);
  return (uint32_t)i;
}

static void take_options(lua_State *L, ph_check_options *how) {
  static const char *const known[] = {"div",   "shift",  "width",   "limit",
                                      "cases", "strict", "samples", "facts"};
  static const char *const divs[] = {"trap", "ub"};
  static const char *const shifts[] = {"mod", "zero", "undef"};
  pl_arg_fields(L, OPTS, known, 8);
  how->traps = pl_arg_choice(L, OPTS, "div", divs, 2) == 0 ? PH_TRAP_KEPT
                                                           : PH_TRAP_UNDEF;
  how->shifts = (ph_shift_policy)pl_arg_choice(L, OPTS, "shift", shifts, 3);
  how->width = take_number(L, "width", 12);
  how->limit = take_number(L, "limit", 32);
  how->cases = take_number(L, "cases", 1000000);
  how->strict = pl_arg_flag(L, OPTS, "strict", false);
}

static int run_check(lua_State *L, void *ud) {
  checking *c = ud;
  lua_settop(L, SCRATCH);
  if (!ph_ruleset_check(c->r->set, 0, c->how, report_verdict, c)) lua_error(L);
  return 0;
}

/* The type of the set that the key names whose list of samples is on top; PH_ANY
** if it is an op, *op, whose data they are. */
static ph_type take_sampled(lua_State *L, const pl_ruleset *r, ph_op *op) {
  ph_type type = PH_NOTYPE;
  size_t n = 0;
  const char *name =
      lua_type(L, -2) == LUA_TSTRING ? lua_tolstring(L, -2, &n) : "";
  const ph_func *space = ph_ruleset_space(r->set);
  if (!ph_type_find(space, (ph_str){name, n}, &type) &&
      ph_op_find(space, (ph_str){name, n}, op) && *op >= PH_OPS)
    type = PH_ANY;
  if (!is_own(type))
    pl_error_plainarg(L, OPTS,
                      "option 'samples': '%s' is neither 'any' nor a type or "
                      "an op of a dialect that is attached",
                      pl_error_tostring(L, -2));
  lua_pushfstring(L, "option 'samples': '%s'", name);
  if (pl_arg_list(L, OPTS, lua_gettop(L) - 1, lua_tostring(L, -1)) == 0)
    pl_error_plainarg(L, OPTS, "%s: the list is empty", lua_tostring(L, -1));
  lua_pop(L, 1);
  return type;
}

/* Adds the case on top, values by variable, to those of OWN. */
static void take_case(lua_State *L, ph_check_options *how) {
  if (!lua_istable(L, -1))
    pl_error_plainarg(L, OPTS,
                      "option 'samples': values by variable expected, got %s",
                      pl_error_type(L, -1));
  if (how->given == 0) {
    lua_newtable(L);
    lua_rawseti(L, OWN, GIVEN);
  }
  lua_rawgeti(L, OWN, GIVEN);
  lua_insert(L, -2);
  lua_rawseti(L, -2, (lua_Integer)++how->given);
  lua_pop(L, 1);
}

/* Appends the list on top, samples of data of the op, to that of `any`; removes
** it. */
static void take_data(lua_State *L, ph_op op) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, -1), before;
  lua_rawgeti(L, OWN, PH_ANY);
  before = (lua_Integer)lua_rawlen(L, -1);
  for (lua_Integer i = 1; i <= n; i++) {
    lua_rawgeti(L, -2, i);
    lua_rawseti(L, -2, before + i);
  }
  lua_pop(L, 2);
  lua_pushinteger(L, before);
  lua_rawseti(L, OWN, DATA + 2 * op);
  lua_pushinteger(L, n);
  lua_rawseti(L, OWN, DATA + 2 * op + 1);
}

/* Moves the lists of option 'samples' to OWN, by the numbers of their types, and
** its cases. */
static void take_samples(lua_State *L, checking *c, ph_check_options *how) {
  int type = pl_arg_field(L, OPTS, "samples");
  int at = lua_gettop(L);
  if (type != LUA_TNIL && type != LUA_TTABLE)
    pl_error_plainarg(L, OPTS, "option 'samples': table expected, got %s",
                      pl_error_type(L, at));
  lua_newtable(L);
  lua_rawseti(L, OWN, PH_ANY);
  for (int others = 0; others <= (type == LUA_TTABLE ? 1 : 0); others++)
    for (lua_pushnil(L); type == LUA_TTABLE && lua_next(L, at) != 0;) {
      ph_op op = PH_NONE;
      ph_type of = PH_NOTYPE;
      if (!lua_isinteger(L, -2)) of = take_sampled(L, c->r, &op);
      if ((of == PH_ANY && op == PH_NONE) == (others != 0)) {
        lua_pop(L, 1);
      } else if (of == PH_NOTYPE) {
        take_case(L, how);
      } else if (of == PH_ANY) {
        c->any += op == PH_NONE ? (uint32_t)lua_rawlen(L, -1) : 0;
        take_data(L, op);
      } else {
        lua_rawseti(L, OWN, of);
      }
    }
  lua_settop(L, OWN);
}

static void take_facts(lua_State *L) {
  int type = pl_arg_field(L, OPTS, "facts"), at = lua_gettop(L);
  if (type != LUA_TNIL && type != LUA_TTABLE)
    pl_error_plainarg(L, OPTS, "option 'facts': table expected, got %s",
                      pl_error_type(L, at));
  if (type == LUA_TTABLE)
    for (lua_pushnil(L); lua_next(L, at) != 0; lua_pop(L, 1))
      if (!lua_isfunction(L, -2) || !lua_isfunction(L, -1))
        pl_error_plainarg(L, OPTS,
                          "option 'facts': functions by functions of the rules "
                          "expected, got a %s by a %s",
                          luaL_typename(L, -1), luaL_typename(L, -2));
  lua_settop(L, OWN);
}

/* R:check([opts]): true or nil, the list of verdicts, and those of rules that
** were not checked */
static int l_check(lua_State *L) {
  checking c = {.L = L};
  ph_callbacks hooks = {
      .ud = &c, .guard = checked_guard, .constant = checked_constant};
  ph_check_options how = {.callbacks = &hooks,
                          .open = open_action,
                          .evals = has_eval,
                          .eval = call_eval,
                          .samples = count_samples,
                          .same = is_same,
                          .show = show_own,
                          .holds = has_fact,
                          .give = give_value,
                          .data = count_data,
                          .keep = keep_data,
                          .ud = &c};
  c.r = pl_ruleset_check(L, SET);
  if (lua_gettop(L) > OPTS) pl_arg_count(L, 0, 1);
  lua_settop(L, OPTS);
  take_options(L, &how);
  lua_newtable(L);
  lua_newtable(L);
  lua_newtable(L);
  take_samples(L, &c, &how);
  take_facts(L);
  c.how = &how;
  ask_protected(&c, "checking", run_check);
  if (c.wrong)
    lua_pushnil(L);
  else
    lua_pushboolean(L, true);
  lua_pushvalue(L, VERDICTS);
  lua_pushvalue(L, UNCHECKED);
  return pl_ruleset_return(L, c.r, 3);
}

static int run_lint(lua_State *L, void *ud) {
  checking *c = ud;
  c->wrong = ph_ruleset_lint(c->r->set, append_answer, c) > 0;
  (void)L;
  return 0;
}

/* R:lint(): true, or nil and a list of warnings */
static int l_lint(lua_State *L) {
  checking c = {.L = L};
  c.r = pl_ruleset_check(L, SET);
  if (lua_gettop(L) > SET) pl_arg_count(L, 0, 0);
  lua_settop(L, OPTS);
  lua_newtable(L);
  ask_protected(&c, "looking at", run_lint);
  if (!c.wrong)
    lua_pushboolean(L, true);
  else
    lua_pushnil(L);
  if (c.wrong) lua_pushvalue(L, VERDICTS);
  return pl_ruleset_return(L, c.r, c.wrong ? 2 : 1);
}

/* }=================================================================== */

const pl_method pl_rule_check_methods[] = {
    {PL_OF_RULES, "check", l_check},
    {PL_OF_RULES, "lint", l_lint},
    {0},
};
