/* callback.c: functions of the user, called while instructions are simplified:
** those behind $name, and the eval of ops of dialects.
**
** They run in protected mode: an error must not jump over the core, which has
** things to undo.  It stays on the stack until the core has returned, and is
** raised then, with the position of the call that emits, and the name and line
** of the rule: the innermost one, if callbacks are nested.
**
** Meanwhile the function under construction can be read, not changed, except
** by an action, through the builder that it gets.
*/
#include "binding/rules/callback.h"

#include <string.h>

#include "binding/args/dialect.h"
#include "binding/args/operand.h"
#include "binding/args/payload.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/funcobj.h"
#include "binding/state/handle.h"
#include "binding/state/memory.h"
#include "binding/state/message.h"
#include "binding/state/method.h"

/*
** {== The builder of an action =======================================
**
** It emits pure instructions in the place of the one that the action replaces,
** and works only while that action runs.  What it emits is simplified like
** everything else, so it may return an existing value, and other actions may
** run within.
*/

/* The function of argument 1; an error unless that builder may work. */
static pl_funcobj *builder_self(lua_State *L) {
  pl_handle *me = pl_arg_self(L, PL_KIND_ACTOR);
  pl_funcobj *h = me->owner;
  if (me->id != h->actions.builder)
    pl_error_plain(
        L, h->actions.builder == 0
               ? "this builder works only while the action that got it runs"
               : "this builder waits until another action is done");
  pl_access_read(L, h);
  if (h->actions.failed)
    pl_error(L, h, "this builder no longer works: what it emitted has failed");
  return h;
}

typedef struct {
  pl_funcobj *h;
  int fn;
  ph_op op;
  ph_type type;
  pl_operands operands;
} emission;

/* Runs the core, which may call functions behind $name. */
static ph_value run_core(lua_State *L, emission *e) {
  pl_funcobj *h = e->h;
  int self = h->actions.fn;
  ph_value v;
  pl_ruleset_begin(L, h, e->fn);
  pl_access_begin(h, "emitting into", ph_match_block(h->f));
  pl_operand_make(L, h->f, &e->operands);
  v = ph_match_emit(h->f, e->op, e->type, e->operands.args,
                    (uint32_t)e->operands.n);
  pl_access_endinner(h);
  h->actions.fn = self;
  return v;
}

static int emit_checked(lua_State *L, emission *e) {
  ph_value v;
  pl_operand_check(L, e->h, &e->operands, e->op, &e->type);
  v = run_core(L, e);
  if (!ph_some(v)) {
    e->h->actions.failed = true;
    if (ph_peephole_isexhausted(e->h->f))
      pl_error(L, e->h, "rules go round in circles");
    return lua_error(L);
  }
  pl_handle_pushvalue(L, e->fn, v);
  return 1;
}

/* On the stack, from `first` on: operands, the type if the op is given one, and
** the function. */
static int take_and_emit(lua_State *L, emission *e, int first) {
  int last = e->fn - 1;
  bool says = ph_op_needstype(e->h->f, e->op);
  int n = last - first + 1 - says;
  if (!ph_op_ispure(e->h->f, e->op))
    pl_error(L, e->h,
             "'%o' is not pure: the builder of an action emits pure "
             "instructions only",
             e->op);
  if (n < 0 || (n == 0 && says && pl_operand_lackstype(L, e->op, last)))
    pl_operand_refuseuntyped(L, e->h, e->op);
  e->type = PH_NOTYPE;
  if (says) e->type = pl_arg_type(L, e->h, last);
  pl_operand_room(L, &e->operands, first, n, 1);
  return emit_checked(L, e);
}

static int l_op(lua_State *L) {
  emission e;
  e.h = builder_self(L);
  e.fn = pl_handle_pushowner(L, 1);
  e.op = (ph_op)lua_tointeger(L, lua_upvalueindex(PL_UP_OPNUM));
  return take_and_emit(L, &e, 2);
}

/* The op that argument 2 names or is the handle of. */
static ph_op take_op(lua_State *L, emission *e) {
  ph_op op;
  if (lua_type(L, 2) != LUA_TSTRING)
    return pl_dialect_attach_op(L, e->h, e->fn, 2, NULL);
  op = pl_arg_op(L, e->h, 2);
  if (op == PH_PHI || op == PH_PROJ || (ph_op_flags(e->h->f, op) & PH_LEAF))
    pl_error_arg(L, e->h, 2, "'%o' is not for the builder of an action", op);
  return op;
}

/* builder:emit(op, ...) */
static int l_emit(lua_State *L) {
  emission e;
  e.h = builder_self(L);
  if (lua_gettop(L) == 1) pl_arg_count(L, 1, 1);
  e.fn = pl_handle_pushowner(L, 1);
  e.op = take_op(L, &e);
  if (ph_op_nresults(e.h->f, e.op) > 1)
    pl_error_arg(L, e.h, 2, "'%o' has more than one result", e.op);
  return take_and_emit(L, &e, 3);
}

/* builder:const(literal[, type]) */
static int l_const(lua_State *L) {
  pl_funcobj *h = builder_self(L);
  ph_type type = PH_NOTYPE;
  ph_value v;
  int n = lua_gettop(L) - 1, fn;
  if (n < 1 || n > 2) pl_arg_count(L, 1, 2);
  lua_settop(L, 3);
  if (!lua_isnil(L, 3)) type = pl_arg_type(L, h, 3);
  if (!pl_literal_is(L, 2))
    pl_error_arg(L, h, 2, "constant expected, got %g", 2);
  type = pl_operand_typed(L, h, 2, type, (ph_var){0});
  fn = pl_handle_pushowner(L, 1);
  pl_access_begin(h, "making a constant of", (ph_block){0});
  v = pl_literal_value(L, h->f, 2, type);
  pl_access_endinner(h);
  pl_handle_pushvalue(L, fn, v);
  return 1;
}

static int l_tostring(lua_State *L) {
  pl_arg_self(L, PL_KIND_ACTOR);
  lua_pushliteral(L, "phial.Actor");
  return 1;
}

/* }== Messages ======================================================= */

/* Starts a message about the rule. */
static void start_message(const pl_callback_request *r) {
  r->h->buf.n = 0;
  pl_ruleset_say(&r->h->buf, r->set->set, r->rule);
}

/* Raises the message in h->buf, which names a rule. */
static int raise_message(lua_State *L, pl_funcobj *h) {
  lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, lua_upvalueindex(PL_UP_MODULE), PL_MODULE_NAMED);
  return lua_error(L);
}

/* True if the error on top names a rule: of the one that has failed first. */
static bool is_named(lua_State *L) {
  bool same;
  lua_getiuservalue(L, lua_upvalueindex(PL_UP_MODULE), PL_MODULE_NAMED);
  same = lua_type(L, -1) == LUA_TSTRING && lua_rawequal(L, -1, -2);
  lua_pop(L, 1);
  return same;
}

/* Raises the error on top with the rule's name, if it is a string. */
static int raise_named(lua_State *L, const pl_callback_request *r) {
  pl_funcobj *h = r->h;
  ph_str text;
  if (lua_type(L, -1) != LUA_TSTRING || pl_memory_israised(L) || is_named(L))
    return lua_error(L);
  text.at = lua_tolstring(L, -1, &text.n);
  start_message(r);
  if (pl_protect_hasyielded(L))
    pl_message_add(L, h, ": its function may not yield");
  else
    pl_message_add(L, h, ": %S", text);
  return raise_message(L, h);
}

/* }== What an action returns ========================================= */

/* Raises what is wrong with the result: "its action FMT", or "its function". */
static void refuse_result(lua_State *L, const pl_callback_request *r,
                          const char *fmt, ...) {
  va_list ap;
  start_message(r);
  pl_message_add(L, r->h, r->acts ? ": its action " : ": its function ");
  va_start(ap, fmt);
  pl_message_addv(L, r->h, fmt, &ap);
  va_end(ap);
  raise_message(L, r->h);
}

static void check_value(lua_State *L, const pl_callback_request *r) {
  pl_funcobj *h = r->h;
  const pl_handle *me = lua_touserdata(L, -1);
  ph_value v;
  if (me->owner != h)
    refuse_result(L, r, "returned a value of another function");
  v = ph_value_resolve(h->f, (ph_value){me->id});
  if (ph_value_isdropped(h->f, v))
    refuse_result(L, r, "returned '%v', which is gone", v);
  if (ph_value_type(h->f, v) != r->type)
    refuse_result(L, r, "returned %t '%v', %t expected", ph_value_type(h->f, v),
                  v, r->type);
  if (!ph_match_isavailable(h->f, v))
    refuse_result(L, r,
                  "returned '%v' of block '%b', which is not known to dominate "
                  "block '%b'",
                  v, ph_value_block(h->f, v), ph_match_block(h->f));
}

/* It must be a value, a literal of the type, or nil.  If the action has caught
** an error of its builder, the call fails nevertheless. */
static void check_result(lua_State *L, const pl_callback_request *r) {
  if (r->h->actions.failed)
    refuse_result(L, r,
                  "has caught an error of its builder: it must let it pass");
  if (lua_isnil(L, -1)) return;
  if (pl_userdata_test(L, -1, PL_KIND_VALUE) != NULL)
    check_value(L, r);
  else if (!pl_literal_is(L, -1) || !pl_literal_fits(L, -1, r->type))
    refuse_result(L, r, "returned %g, %t or nil expected", -1, r->type);
}

/* }== Calling ======================================================== */

/* Its arguments: the function and the callee. */
static int call_user(lua_State *L, void *ud) {
  const pl_callback_request *r = ud;
  int status;
  luaL_checkstack(L, (int)r->n + 12, NULL);
  if (r->acts)
    pl_handle_new(L, r->h, 1, PL_KIND_ACTOR)->id = r->h->actions.builder;
  for (uint32_t i = 0; i < r->n; i++) {
    /* constants of type i1 are numbers, too: -1 and 0 */
    if (r->args[i].constant.tag == PH_DATA_NONE)
      pl_handle_pushvalue(L, 1, r->args[i].value);
    else if (r->args[i].constant.tag >= PH_DATA_HOST)
      pl_payload_push(L, r->h, 1, r->args[i].constant);
    else if (r->args[i].constant.tag == PH_DATA_INT)
      lua_pushinteger(L, (lua_Integer)r->args[i].constant.bits);
    else
      pl_literal_push(L, r->h->f, r->args[i].type, r->args[i].constant);
  }
  status = lua_pcall(L, (int)r->n + r->acts, 1, 0);
  r->h->L = L;
  if (status != LUA_OK) return raise_named(L, r);
  if (r->acts) check_result(L, r);
  if (!r->acts && r->type != PH_NOTYPE && !lua_isnil(L, -1) &&
      !pl_callback_isconstant(L, r->type))
    refuse_result(L, r, "returned %g: %s or nil expected", -1,
                  pl_callback_wanted(r->type));
  return 1;
}

const char *pl_callback_wanted(ph_type type) {
  if (type == PH_ANY) return "text, number, boolean";
  if (ph_type_isfloat(type)) return "a number of that type";
  return type == PH_I1 ? "boolean, integer" : "integer";
}

bool pl_callback_isconstant(lua_State *L, ph_type type) {
  if (type == PH_ANY) return pl_literal_is(L, -1);
  if (ph_type_isfloat(type))
    return lua_type(L, -1) == LUA_TNUMBER && pl_literal_fits(L, -1, type);
  return lua_isinteger(L, -1) || (type == PH_I1 && lua_isboolean(L, -1));
}

/* True if the Lua value on top can be a constant of the type: what runs take. */
static bool is_constant(lua_State *L, ph_type type) {
  if (lua_isnil(L, -1)) return type == PH_ANY;
  if (type == PH_I1) return lua_isboolean(L, -1);
  return pl_literal_is(L, -1) && pl_literal_fits(L, -1, type);
}

/* Its arguments: the function and nil.  Leaves a constant of the type, or a light
** userdata: none. */
static int call_eval(lua_State *L, void *ud) {
  const pl_callback_request *r = ud;
  ph_func *f = r->h->f;
  int status = LUA_ERRRUN;
  luaL_checkstack(L, (int)r->n + 12, NULL);
  pl_funcobj_pushdialect(L, 1, ph_op_dialect(f, r->op));
  pl_dialect_pusheval(L, f, r->op);
  if (lua_isfunction(L, -1)) {
    for (uint32_t i = 0; i < r->n; i++)
      pl_literal_push(L, f, r->args[i].type, r->args[i].constant);
    status = lua_pcall(L, (int)r->n, 1, 0);
    r->h->L = L;
  }
  if (status == LUA_ERRMEM) return lua_error(L);
  if (status != LUA_OK || !is_constant(L, r->type))
    lua_pushlightuserdata(L, ud);
  return 1;
}

static void hold_sets(pl_ruleset *set, lua_State *L, int by) {
  for (; set != NULL; set = set->base) {
    set->L = L;
    set->calling += (uint32_t)by;
  }
}

/* Calls the function on top by `body`, in protected mode, and returns the status;
** replaces it by one result, checked, or by the error.  If memory ends while an
** action changes the function, the function is broken and the core cannot go on.
*/
static int ask_user(lua_State *L, pl_callback_request *r,
                    pl_protect_body *body) {
  pl_funcobj *h = r->h;
  const char *doing = h->now.doing;
  bool calling = h->now.in_callback, matching = h->now.core_waits, broken;
  int status;
  lua_pushvalue(L, h->actions.fn);
  lua_insert(L, -2);
  hold_sets(r->set, L, 1);
  h->now.doing = NULL;
  h->now.in_callback = h->now.core_waits = true;
  status = pl_protect_run(L, body, r, 2);
  broken = h->now.doing != NULL;
  h->now.core_waits = matching;
  h->now.in_callback = calling;
  h->now.doing = doing;
  h->L = L;
  hold_sets(r->set, L, -1);
  if (broken && status == LUA_OK) pl_memory_raise(L);
  if (broken) lua_error(L);
  return status;
}

/* Pushes the function behind $name of that number, of the set at stack index
** `set`, 0: that of h; false, and an error if it fits: the stack is full. */
static bool push_callee(lua_State *L, const pl_funcobj *h, int set,
                        uint32_t number) {
  if (!lua_checkstack(L, 12)) {
    if (lua_checkstack(L, 1)) lua_pushliteral(L, "stack overflow");
    return false;
  }
  if (set != 0)
    lua_pushvalue(L, set);
  else
    pl_funcobj_pushkept(L, h->actions.fn, PL_KEPT_RULES);
  lua_getiuservalue(L, -1, PL_ITS_CALLEES);
  lua_rawgeti(L, -1, (lua_Integer)number + 1);
  lua_replace(L, -3);
  lua_pop(L, 1);
  return true;
}

/* Calls the function of that number, which gets no builder; false: it failed. */
static bool ask_function(lua_State *L, pl_callback_request *r, int set,
                         uint32_t number) {
  uint32_t actor = r->h->actions.builder;
  ph_strbuf text = r->set->buf; /* of what waits for the function */
  int status;
  if (!push_callee(L, r->h, set, number)) return false;
  r->h->actions.builder = 0;
  r->set->buf = (ph_strbuf){.mem = text.mem};
  status = ask_user(L, r, call_user);
  ph_strbuf_done(&r->set->buf);
  r->set->buf = text;
  r->h->actions.builder = actor;
  return status == LUA_OK;
}

int pl_callback_guard(lua_State *L, pl_callback_request *r, int set,
                      uint32_t number) {
  int truth;
  if (!ask_function(L, r, set, number)) return -1;
  truth = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return truth;
}

int pl_callback_constant(lua_State *L, pl_callback_request *r, int set,
                         uint32_t number, ph_data *result) {
  bool any;
  if (!ask_function(L, r, set, number)) return -1;
  any = !lua_isnil(L, -1);
  if (any) *result = pl_literal_data(L, r->h->f, -1, r->type);
  lua_pop(L, 1);
  return any;
}

static int call_guard(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                      const ph_callback_arg *args, uint32_t n) {
  pl_funcobj *h = ud;
  pl_callback_request r = {h, h->rules, args, n, rule, false, PH_NOTYPE, 0};
  (void)f;
  return pl_callback_guard(h->L, &r, 0, function);
}

static int call_constant(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                         const ph_callback_arg *args, uint32_t n, ph_type type,
                         ph_data *result) {
  pl_funcobj *h = ud;
  pl_callback_request r = {h, h->rules, args, n, rule, false, type, 0};
  (void)f;
  return pl_callback_constant(h->L, &r, 0, function, result);
}

static int call_action(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                       const ph_callback_arg *args, uint32_t n, ph_type type,
                       ph_value *result) {
  pl_funcobj *h = ud;
  lua_State *L = h->L;
  pl_callback_request r = {h, h->rules, args, n, rule, true, type, 0};
  uint32_t actor = h->actions.builder;
  bool failed = h->actions.failed, any;
  int status;
  (void)f;
  if (!push_callee(L, h, 0, function)) return -1;
  h->actions.builder = ++h->actions.nbuilders;
  h->actions.failed = false;
  status = ask_user(L, &r, call_user);
  h->actions.builder = actor;
  h->actions.failed = failed;
  if (status != LUA_OK) return -1;
  any = !lua_isnil(L, -1);
  if (any) *result = pl_operand_one(L, h->f, -1, type);
  lua_pop(L, 1);
  return any;
}

static int fold_eval(void *ud, ph_func *f, ph_op op,
                     const ph_callback_arg *args, uint32_t n, ph_type type,
                     ph_value *result) {
  pl_funcobj *h = ud;
  lua_State *L = h->L;
  pl_callback_request r = {h, h->rules, args, n, 0, false, type, op};
  uint32_t actor = h->actions.builder;
  int status;
  bool any;
  if (!lua_checkstack(L, 12)) return 0;
  lua_pushnil(L);
  h->actions.builder = 0;
  status = ask_user(L, &r, call_eval);
  h->actions.builder = actor;
  if (status == LUA_ERRMEM) return -1;
  any = status == LUA_OK && !lua_islightuserdata(L, -1);
  if (any) *result = pl_literal_value(L, f, -1, type);
  lua_pop(L, 1);
  return any;
}

/* }== Around the core's calls ======================================== */

static void set_callbacks(pl_funcobj *h) {
  const ph_callbacks hooks = {.ud = h,
                              .guard = call_guard,
                              .action = call_action,
                              .eval = fold_eval,
                              .constant = call_constant};
  ph_match_setcallbacks(h->f, &hooks);
}

void pl_callback_start(lua_State *L, pl_funcobj *h, int fn, int at) {
  pl_funcobj_keep(L, fn, PL_KEPT_RULES, at);
  h->rules = lua_touserdata(L, at);
  ph_peephole_enable(h->f, h->rules->set, h->strict);
  set_callbacks(h);
}

void pl_callback_phase(lua_State *L, pl_funcobj *h, pl_protect_body *body,
                       int set) {
  pl_ruleset *rules = h->rules;
  ph_phase outer;
  int before = lua_gettop(L) + 1, status;
  pl_ruleset_attach(L, h, 1, set);
  pl_funcobj_pushkept(L, 1, PL_KEPT_RULES);
  pl_access_edit(L, h);
  h->rules = lua_touserdata(L, set);
  pl_access_begin(h, "simplifying", (ph_block){0});
  outer = ph_peephole_enter(h->f, h->rules->set, h->strict);
  set_callbacks(h);
  pl_access_end(h);
  pl_funcobj_keep(L, 1, PL_KEPT_RULES, set);
  lua_pushvalue(L, 1);
  status = pl_protect_run(L, body, h, 1);
  h->rules = rules;
  if (!pl_userdata_isclosed(h)) ph_peephole_leave(h->f, outer);
  pl_funcobj_keep(L, 1, PL_KEPT_RULES, before);
  lua_remove(L, before);
  if (status != LUA_OK) lua_error(L);
}

/* fn:rules(): the set that it uses, or nil */
static int l_rules(lua_State *L) {
  pl_access_read(L, pl_arg_only(L, PL_KIND_FUNC));
  pl_funcobj_pushkept(L, 1, PL_KEPT_RULES);
  return 1;
}

/* The rules that ran in circles: how many, and which was the i-th. */
typedef uint32_t applied(const ph_func *f, uint32_t i);

/* The length of the shortest sequence that the last rules applied repeat, or 0.
*/
static uint32_t period_of(const ph_func *f, applied *rule, uint32_t n) {
  for (uint32_t p = 1; 2 * p <= n; p++) {
    uint32_t i = 1;
    while (i <= p && rule(f, n - i) == rule(f, n - p - i)) i++;
    if (i > p) return p;
  }
  return 0;
}

static void say_circle(lua_State *L, pl_funcobj *h, applied *rule, uint32_t n) {
  uint32_t p = period_of(h->f, rule, n);
  uint32_t shown = p > 0 ? p : n < 8 ? n : 8;
  pl_message_add(L, h,
                 "rules go round in circles: %d were applied to one "
                 "instruction, ",
                 (int)n);
  pl_message_add(L, h, p > 0 ? "again and again" : "the last of them");
  for (uint32_t i = n - shown; i < n; i++) {
    pl_message_add(L, h, i == n - shown ? " " : ", ");
    pl_ruleset_say(&h->buf, h->rules->set, rule(h->f, i));
  }
}

void pl_callback_warn(lua_State *L, pl_funcobj *h) {
  uint32_t n = ph_peephole_ncircle(h->f);
  if (n == 0 || h->rules == NULL || h->rules->warned) return;
  h->rules->warned = true;
  pl_error_start(L, h);
  pl_message_add(L, h, "function '%f': ");
  say_circle(L, h, ph_peephole_circle, n);
  lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_warning(L, lua_tostring(L, -1), 0);
  lua_pop(L, 1);
}

int pl_callback_fail(lua_State *L, pl_funcobj *h) {
  pl_access_end(h);
  if (ph_peephole_isexhausted(h->f)) {
    pl_error_start(L, h);
    say_circle(L, h, ph_peephole_applied, ph_peephole_napplied(h->f));
    return pl_error_raise(L, h);
  }
  if (is_named(L)) return pl_error_raiseforeign(L, h);
  return lua_error(L);
}

/* }== Hits =========================================================== */

void pl_callback_pushname(lua_State *L, const ph_ruleset *set, uint32_t n) {
  ph_str name = ph_ruleset_name(set, n), source = ph_ruleset_source(set, n);
  int line = (int)ph_ruleset_line(set, n);
  if (name.n > 0) {
    lua_pushlstring(L, name.at, name.n);
    return;
  }
  lua_pushlstring(L, source.at, source.n);
  lua_pushfstring(L, "%s:%d", lua_tostring(L, -1), line);
  lua_remove(L, -2);
}

void pl_callback_pushhits(lua_State *L, pl_funcobj *h) {
  lua_newtable(L);
  if (h->rules == NULL) return;
  for (uint32_t n = 1; n <= ph_ruleset_count(h->rules->set); n++) {
    uint32_t hits = ph_match_hits(pl_access_read(L, h), n);
    if (hits == 0) continue;
    pl_callback_pushname(L, h->rules->set, n);
    lua_pushvalue(L, -1);
    lua_rawget(L, -3);
    lua_pushinteger(L, lua_tointeger(L, -1) + hits);
    lua_remove(L, -2);
    lua_rawset(L, -3);
  }
}

/* }=================================================================== */

const pl_method pl_callback_methods[] = {
    {PL_OF_ACTOR, PL_EACH_OP, l_op}, {PL_OF_ACTOR, "emit", l_emit},
    {PL_OF_ACTOR, "const", l_const}, {PL_OF_ACTOR, "__tostring", l_tostring},
    {PL_OF_FUNC, "rules", l_rules},  {0},
};
