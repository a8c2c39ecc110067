/* hook.c: functions of the user behind $name, called while rules are matched.
**
** They run in protected mode: an error must not jump over the core, which has
** things to undo.  So it stays on the stack until the core has returned, and
** is raised then, with the name of the rule and its place.
**
** Meanwhile the function that is being built can be read, not changed; an
** action changes it through the builder that it gets (actor.c).
*/
#include <string.h>

#include "binding/arg.h"
#include "binding/fail.h"
#include "binding/handle.h"
#include "binding/host.h"
#include "binding/rules.h"

/*
** {== Messages =======================================================
*/

/* "rule 'x' (text:3)", in h's buffer. */
static void say_rule(ph_host *h, const ph_rules *set, uint32_t rule) {
  ph_str name = ph_rule_name(set, rule);
  ph_fail_say(h->L, h, name.n > 0 ? "rule '%S' (" : "rule (", name);
  ph_fail_say(h->L, h, "%S:%d)", ph_rule_source(set, rule),
              (int)ph_rule_line(set, rule));
}

/* Starts a message about the rule. */
static void start(ph_host *h, uint32_t rule) {
  h->buf.n = 0;
  say_rule(h, h->rules->set, rule);
}

static int push_message(lua_State *L, ph_host *h) {
  lua_pushlstring(L, h->buf.at, h->buf.n);
  return -1;
}

/* The error on top gets the rule's name, if it is a string. */
static int name_rule(lua_State *L, ph_host *h, uint32_t rule) {
  if (lua_type(L, -1) != LUA_TSTRING) return -1;
  start(h, rule);
  ph_fail_say(L, h, ": %s", lua_tostring(L, -1));
  return push_message(L, h);
}

/* }== Calling ======================================================== */

static void push_callee(lua_State *L, ph_host *h, uint32_t number) {
  lua_getiuservalue(L, h->self, PH_ITS_KEPT);
  lua_rawgeti(L, -1, PH_KEPT_RULES);
  lua_getiuservalue(L, -1, PH_ITS_CALLEES);
  lua_rawgeti(L, -1, (lua_Integer)number + 1);
  lua_replace(L, -4);
  lua_pop(L, 2);
}

/* Constants are numbers, also those of type i1: -1 and 0. */
static void push_given(lua_State *L, ph_host *h, const ph_given *g) {
  if (g->constant.tag == PH_DATA_NONE)
    ph_handle_pushvalue(L, h->self, g->value);
  else if (g->constant.tag == PH_DATA_INT)
    lua_pushinteger(L, (lua_Integer)g->constant.bits);
  else
    ph_literal_push(L, h->f, g->type, g->constant);
}

/* Runs it with n arguments on the stack; leaves its result or error. */
static int run(lua_State *L, ph_host *h, int n) {
  const char *doing = h->doing;
  bool calling = h->calling;
  int status;
  h->doing = NULL;
  h->calling = true;
  status = lua_pcall(L, n, 1, 0);
  h->calling = calling;
  h->doing = doing;
  h->L = L;
  for (ph_ruleset *r = h->rules; r != NULL; r = r->base) r->L = L;
  return status;
}

static void push_args(lua_State *L, ph_host *h, const ph_given *args,
                      uint32_t n) {
  for (uint32_t i = 0; i < n; i++) push_given(L, h, &args[i]);
}

int ph_hook_call(lua_State *L, ph_host *h, const ph_given *args, uint32_t n) {
  push_args(L, h, args, n);
  return run(L, h, (int)n);
}

static bool has_stack(lua_State *L, uint32_t n) {
  if (lua_checkstack(L, (int)n + 12)) return true;
  if (lua_checkstack(L, 1)) lua_pushliteral(L, "stack overflow");
  return false;
}

static int guard(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                 const ph_given *args, uint32_t n) {
  ph_host *h = ud;
  lua_State *L = h->L;
  uint32_t actor = h->actor;
  int status, truth;
  (void)f;
  if (!has_stack(L, n)) return -1;
  push_callee(L, h, function);
  h->actor = 0;
  status = ph_hook_call(L, h, args, n);
  h->actor = actor;
  if (status != LUA_OK) return name_rule(L, h, rule);
  truth = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return truth;
}

/* }== What an action returns ========================================= */

static int wrong(lua_State *L, ph_host *h) {
  push_message(L, h);
  return -1;
}

static int check_value(lua_State *L, ph_host *h, uint32_t rule, ph_type type,
                       ph_value *result) {
  const ph_handle *me = ph_handle_test(L, -1, PH_UP_VALUE);
  ph_value v;
  start(h, rule);
  if (me->host != h) {
    ph_fail_say(L, h, ": its action returned a value of another function");
    return wrong(L, h);
  }
  v = ph_ir_now(h->f, (ph_value){me->id});
  if (ph_ir_dropped(h->f, v)) {
    ph_fail_say(L, h, ": its action returned '%v', which is gone", v);
    return wrong(L, h);
  }
  if (ph_ir_type(h->f, v) != type) {
    ph_fail_say(L, h, ": its action returned %t '%v', %t expected",
                ph_ir_type(h->f, v), v, type);
    return wrong(L, h);
  }
  if (!ph_match_reaches(h->f, v)) {
    ph_fail_say(L, h,
                ": its action returned '%v' of block '%b', which is not known "
                "to dominate block '%b'",
                v, ph_ir_blockof(h->f, v), ph_match_block(h->f));
    return wrong(L, h);
  }
  *result = v;
  lua_pop(L, 1);
  return 1;
}

/* A literal of the type. */
static int check_literal(lua_State *L, ph_host *h, uint32_t rule, ph_type type,
                         ph_value *result) {
  if (ph_literal_is(L, -1) && ph_literal_fits(L, -1, type)) {
    *result = ph_literal_value(L, h->f, -1, type);
    lua_pop(L, 1);
    return 1;
  }
  start(h, rule);
  ph_fail_say(L, h, ": its action returned %g, %t or nil expected", -1, type);
  return wrong(L, h);
}

/* An error within that the action has caught is one all the same. */
static int check_failed(lua_State *L, ph_host *h, uint32_t rule) {
  start(h, rule);
  ph_fail_say(L, h,
              ": its action has caught an error of its builder: it must "
              "let it pass");
  return wrong(L, h);
}

static int action(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                  const ph_given *args, uint32_t n, ph_type type,
                  ph_value *result) {
  ph_host *h = ud;
  lua_State *L = h->L;
  uint32_t actor = h->actor;
  bool failed = h->failed;
  int status;
  (void)f;
  if (!has_stack(L, n)) return -1;
  push_callee(L, h, function);
  h->actor = ++h->actors;
  h->failed = false;
  ph_actor_push(L, h, h->self);
  push_args(L, h, args, n);
  status = run(L, h, (int)n + 1);
  if (status == LUA_OK && h->failed)
    status = check_failed(L, h, rule);
  else if (status != LUA_OK)
    status = name_rule(L, h, rule);
  h->actor = actor;
  h->failed = failed;
  if (status < 0) return -1;
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    return 0;
  }
  return ph_handle_test(L, -1, PH_UP_VALUE) != NULL
             ? check_value(L, h, rule, type, result)
             : check_literal(L, h, rule, type, result);
}

/* }== Around the core's calls ======================================== */

void ph_hook_start(lua_State *L, ph_host *h, int fn, int at) {
  const ph_hooks hooks = {h, guard, action};
  lua_getiuservalue(L, fn, PH_ITS_KEPT);
  lua_pushvalue(L, at);
  lua_rawseti(L, -2, PH_KEPT_RULES);
  lua_pop(L, 1);
  h->rules = lua_touserdata(L, at);
  ph_simplify_start(h->f, h->rules->set, h->strict);
  ph_match_hook(h->f, &hooks);
}

void ph_hook_begin(lua_State *L, ph_host *h, int fn) {
  if (h->rules == NULL) return;
  ph_rules_current(L, h->rules);
  h->self = fn;
}

/* The shortest run of rules that the last ones repeat, or 0. */
static uint32_t period_of(const ph_func *f, uint32_t n) {
  for (uint32_t p = 1; 2 * p <= n; p++) {
    uint32_t i = 1;
    while (i <= p &&
           ph_simplify_applied(f, n - i) == ph_simplify_applied(f, n - p - i))
      i++;
    if (i > p) return p;
  }
  return 0;
}

static int fail_exhausted(lua_State *L, ph_host *h) {
  uint32_t n = ph_simplify_count(h->f), p = period_of(h->f, n);
  uint32_t shown = p > 0 ? p : n < 8 ? n : 8;
  ph_fail_start(L, h);
  ph_fail_say(L, h,
              "rules go round in circles: %d were applied to one "
              "instruction, ",
              (int)n);
  ph_fail_say(L, h, p > 0 ? "again and again" : "the last of them");
  for (uint32_t i = n - shown; i < n; i++) {
    ph_fail_say(L, h, i == n - shown ? " " : ", ");
    say_rule(h, h->rules->set, ph_simplify_applied(h->f, i));
  }
  return ph_fail_raise(L, h);
}

int ph_hook_fail(lua_State *L, ph_host *h) {
  ph_host_end(h);
  if (ph_simplify_exhausted(h->f)) return fail_exhausted(L, h);
  return lua_error(L);
}

/* }== Hits =========================================================== */

static void push_name(lua_State *L, const ph_rules *set, uint32_t n) {
  ph_str name = ph_rule_name(set, n), source = ph_rule_source(set, n);
  if (name.n > 0) {
    lua_pushlstring(L, name.at, name.n);
    return;
  }
  lua_pushlstring(L, source.at, source.n);
  lua_pushfstring(L, "%s:%d", lua_tostring(L, -1), (int)ph_rule_line(set, n));
  lua_remove(L, -2);
}

void ph_hook_pushhits(lua_State *L, ph_host *h) {
  lua_newtable(L);
  if (h->rules == NULL) return;
  for (uint32_t n = 1; n <= ph_rule_count(h->rules->set); n++) {
    uint32_t hits = ph_match_hits(h->f, n);
    if (hits == 0) continue;
    push_name(L, h->rules->set, n);
    lua_pushvalue(L, -1);
    lua_rawget(L, -3);
    lua_pushinteger(L, lua_tointeger(L, -1) + hits);
    lua_remove(L, -2);
    lua_rawset(L, -3);
  }
}

/* }=================================================================== */
