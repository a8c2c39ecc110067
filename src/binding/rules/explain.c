/* explain.c: R:explain and R:names. */
#include "binding/args/dialect.h"
#include "binding/args/operand.h"
#include "binding/rules/callback.h"
#include "binding/rules/ruleset.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== R:explain(fn, op, ...) =========================================
*/

enum { ARG_FN = 2, ARG_OP, ARG_FIRST };

/* The instruction to explain, which is not made. */
typedef struct {
  lua_State *L;
  pl_funcobj *h;
  pl_ruleset *set;
  bool failed; /* a guard has failed; its error is on the stack */
  ph_op op;
  ph_type type;
  pl_operands operands;
  ph_block *targets;
  int ntargets;
} question;

static ph_op take_op(lua_State *L, pl_funcobj *h) {
  ph_op op;
  if (lua_type(L, ARG_OP) != LUA_TSTRING)
    return pl_dialect_attach_op(L, h, ARG_FN, ARG_OP, NULL);
  op = pl_arg_op(L, h, ARG_OP);
  if (op == PH_PHI || (ph_op_flags(h->f, op) & PH_LEAF))
    pl_error_arg(L, h, ARG_OP, "no rule is about '%o'", op);
  return op;
}

/* Counts the blocks at the end of the arguments, which are targets. */
static int count_targets(lua_State *L, int last) {
  int n = 0;
  while (last - n >= ARG_FIRST &&
         pl_userdata_test(L, last - n, PL_UP_BLOCK) != NULL)
    n++;
  return n;
}

static void take(lua_State *L, question *q, int last) {
  bool says = ph_op_needstype(q->h->f, q->op);
  int n;
  q->ntargets = count_targets(L, last);
  n = last - q->ntargets - ARG_FIRST + 1 - says;
  if (n < 0)
    pl_error(
        L, q->h,
        "'%o' needs the type of its result: a type's name as last argument",
        q->op);
  q->targets =
      lua_newuserdatauv(L, ((size_t)q->ntargets + 1) * sizeof *q->targets, 0);
  pl_operand_room(L, &q->operands, ARG_FIRST, n, 3);
  pl_access_change(L, q->h); /* finalizers may have run */
  for (int i = 0; i < q->ntargets; i++)
    q->targets[i] = pl_handle_argblock(L, q->h, last + 1 - q->ntargets + i);
  q->type = PH_NOTYPE;
  if (says) q->type = pl_arg_type(L, q->h, last);
  pl_operand_check(L, q->h, &q->operands, q->op, &q->type);
  pl_operand_checktargets(L, q->h, q->op, n, q->ntargets);
}

/* After an error no guard is called; it is raised once the core is done. */
static int guard(void *ud, ph_func *f, uint32_t rule, uint32_t function,
                 const ph_callback_arg *args, uint32_t n) {
  question *q = ud;
  pl_callback_request r = {q->h, q->set, args, n, 0, false, PH_NOTYPE};
  int truth;
  (void)f;
  (void)rule;
  if (q->failed || !lua_checkstack(q->L, 12)) return 0;
  lua_getiuservalue(q->L, 1, PL_ITS_CALLEES);
  lua_rawgeti(q->L, -1, (lua_Integer)function + 1);
  lua_remove(q->L, -2);
  q->failed = pl_callback_ask(q->L, &r) != LUA_OK;
  if (q->failed) return 0;
  truth = lua_toboolean(q->L, -1);
  lua_pop(q->L, 1);
  return truth;
}

static int l_explain(lua_State *L) {
  pl_ruleset *r = pl_ruleset_check(L, 1);
  int last = lua_gettop(L);
  question q = {.L = L, .set = r};
  const ph_callbacks hooks = {&q, guard, NULL};
  if (last < ARG_OP) pl_arg_count(L, 2, INT32_MAX);
  q.h = pl_userdata_test(L, ARG_FN, PL_UP_FUNC);
  if (q.h == NULL)
    pl_error_plainarg(L, ARG_FN, "phial.Function expected, got %s",
                      luaL_typename(L, ARG_FN));
  pl_access_change(L, q.h);
  q.op = take_op(L, q.h);
  take(L, &q, last);
  pl_ruleset_current(L, r);
  q.h->fn_index = ARG_FN;
  pl_access_begin(q.h, "explaining rules for", (ph_block){0});
  pl_operand_make(L, q.h->f, &q.operands);
  pl_access_end(q.h); /* explaining does not change the function */
  r->buf.n = 0;
  ph_ruleset_explain(&r->buf, q.h->f, r->set, &hooks, q.op, q.type,
                     q.operands.args, (uint32_t)q.operands.n, q.targets,
                     (uint32_t)q.ntargets);
  if (q.failed) return lua_error(L);
  lua_pushlstring(L, r->buf.at, r->buf.n);
  ph_strbuf_done(&r->buf);
  return pl_access_return(L, q.h, 1);
}

/* }== R:names() ====================================================== */

static bool is_shown(const ph_ruleset *set, uint32_t n) {
  return !ph_ruleset_isremoved(set, n) && ph_ruleset_isenabled(set, n) &&
         ph_ruleset_name(set, n).n > 0;
}

/* R:names(): the names of enabled rules, without duplicates, in their order. */
static int l_names(lua_State *L) {
  pl_ruleset *r = pl_ruleset_check(L, 1);
  uint32_t n = ph_ruleset_count(r->set);
  lua_Integer k = 0;
  if (lua_gettop(L) > 1) pl_arg_count(L, 0, 0);
  lua_newtable(L);
  lua_newtable(L); /* set of the names so far */
  for (uint32_t i = 1; i <= n; i++) {
    ph_str name = {"", 0};
    if (is_shown(r->set, i)) name = ph_ruleset_name(r->set, i);
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

const pl_method pl_explain_methods[] = {
    {PL_OF_RULES, "explain", l_explain},
    {PL_OF_RULES, "names", l_names},
    {0},
};
