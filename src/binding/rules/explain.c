/* inquiry.c: what can be asked about a set of rules. */
#include "binding/state/arg.h"
#include "binding/args/dialect_attach.h"
#include "binding/state/errors.h"
#include "binding/state/handle.h"
#include "binding/state/funcobj.h"
#include "binding/rules/ruleset.h"

/*
** {== R:explain(fn, op, ...) =========================================
*/

enum { ARG_FN = 2, ARG_OP, ARG_FIRST };

/* An instruction that is asked about. */
typedef struct {
  lua_State *L;
  ph_host *h;
  ph_ruleset *set;
  bool failed; /* a guard has; its error is on the stack */
  ph_op op;
  ph_type type;
  ph_operands operands;
  ph_block *targets;
  int ntargets;
} question;

static ph_op take_op(lua_State *L, ph_host *h) {
  ph_op op;
  if (lua_type(L, ARG_OP) != LUA_TSTRING)
    return ph_attach_opof(L, h, ARG_FN, ARG_OP);
  op = ph_arg_op(L, h, ARG_OP);
  if (op == PH_PHI || (ph_op_flags(h->f, op) & PH_LEAF))
    ph_fail_arg(L, h, ARG_OP, "no rule is about '%o'", op);
  return op;
}

/* Blocks at the end are targets. */
static void take_targets(lua_State *L, question *q, int last) {
  int first = last + 1;
  while (first > ARG_FIRST && ph_handle_test(L, first - 1, PH_UP_BLOCK) != NULL)
    first--;
  q->ntargets = last + 1 - first;
  q->targets =
      lua_newuserdatauv(L, ((size_t)q->ntargets + 1) * sizeof *q->targets, 0);
  for (int i = 0; i < q->ntargets; i++)
    q->targets[i] = ph_handle_argblock(L, q->h, first + i);
}

static void take(lua_State *L, question *q, int last) {
  bool says = ph_op_saystype(q->h->f, q->op);
  int n;
  take_targets(L, q, last);
  n = last - q->ntargets - ARG_FIRST + 1 - says;
  if (n < 0)
    ph_fail(L, q->h,
            "'%o' needs the type of its result: a type's name as last argument",
            q->op);
  q->type = PH_NOTYPE;
  if (says) q->type = ph_arg_type(L, q->h, last);
  ph_operand_room(L, &q->operands, ARG_FIRST, n, 3);
  ph_operand_check(L, q->h, &q->operands, q->op, &q->type);
}

/* The first error is told when all is done. */
static int guard(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                 const ph_given *args, uint32_t n) {
  question *q = ud;
  ph_request r = {q->h, q->set, args, n, 0, false, PH_NOTYPE};
  int truth;
  (void)f;
  (void)rule;
  if (q->failed || !lua_checkstack(q->L, 12)) return 0;
  lua_getiuservalue(q->L, 1, PH_ITS_CALLEES);
  lua_rawgeti(q->L, -1, (lua_Integer)function + 1);
  lua_remove(q->L, -2);
  q->failed = ph_hook_ask(q->L, &r) != LUA_OK;
  if (q->failed) return 0;
  truth = lua_toboolean(q->L, -1);
  lua_pop(q->L, 1);
  return truth;
}

static int l_explain(lua_State *L) {
  ph_ruleset *r = ph_rules_check(L, 1);
  int last = lua_gettop(L);
  question q = {.L = L, .set = r};
  const ph_hooks hooks = {&q, guard, NULL};
  if (last < ARG_OP) ph_arg_count(L, 2, INT32_MAX);
  q.h = ph_handle_test(L, ARG_FN, PH_UP_FUNC);
  if (q.h == NULL)
    ph_fail_plainarg(L, ARG_FN, "phial.Function expected, got %s",
                     luaL_typename(L, ARG_FN));
  ph_host_change(L, q.h);
  q.op = take_op(L, q.h);
  take(L, &q, last);
  ph_host_change(L, q.h);
  ph_rules_current(L, r);
  q.h->self = ARG_FN;
  ph_host_begin(q.h, "explaining rules for", (ph_block){0});
  ph_operand_make(L, q.h->f, &q.operands);
  r->buf.n = 0;
  ph_reason_text(&r->buf, q.h->f, r->set, &hooks, q.op, q.type, q.operands.args,
                 (uint32_t)q.operands.n, q.targets, (uint32_t)q.ntargets);
  q.h->doing = NULL;
  if (q.failed) return lua_error(L);
  lua_pushlstring(L, r->buf.at, r->buf.n);
  ph_buf_done(&r->buf);
  return ph_host_done(L, q.h, 1);
}

/* }== R:names() ====================================================== */

static bool is_shown(const ph_rules *set, uint32_t n) {
  return !ph_rule_isremoved(set, n) && ph_rule_isenabled(set, n) &&
         ph_rule_name(set, n).n > 0;
}

/* R:names(): of the rules that are on, each once, in their order. */
static int l_names(lua_State *L) {
  ph_ruleset *r = ph_rules_check(L, 1);
  uint32_t n = ph_rule_count(r->set);
  lua_Integer k = 0;
  if (lua_gettop(L) > 1) ph_arg_count(L, 0, 0);
  lua_newtable(L);
  lua_newtable(L); /* those seen */
  for (uint32_t i = 1; i <= n; i++) {
    ph_str name = {"", 0};
    if (is_shown(r->set, i)) name = ph_rule_name(r->set, i);
    if (name.n == 0) continue;
    lua_pushlstring(L, name.at, name.n);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 3) == LUA_TNIL) {
      lua_pushvalue(L, -2);
      lua_pushboolean(L, true);
      lua_rawset(L, 3);
      lua_pushvalue(L, -2);
      lua_rawseti(L, 2, ++k);
    }
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
  return 1;
}

/* }=================================================================== */

const luaL_Reg ph_inquiry_methods[] = {
    {"explain", l_explain}, {"names", l_names}, {NULL, NULL}};
