/* rule_explain.c: R:explain(fn, op, ...): why rules do not apply to an
** instruction.
*/
#include "binding/args/dialect.h"
#include "binding/args/operand.h"
#include "binding/rules/callback.h"
#include "binding/rules/ruleset.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

enum { EXPLAIN_FN = 2, EXPLAIN_OP, EXPLAIN_FIRST };

/* The instruction to explain, which is not made. */
typedef struct {
  lua_State *L;
  pl_funcobj *h;
  pl_ruleset *set;
  ph_op op;
  ph_type type;
  pl_operands operands;
  ph_block *targets;
  int ntargets;
} question;

static ph_op take_explained_op(lua_State *L, pl_funcobj *h) {
  ph_op op;
  if (lua_type(L, EXPLAIN_OP) != LUA_TSTRING)
    return pl_dialect_attach_op(L, h, EXPLAIN_FN, EXPLAIN_OP, NULL);
  op = pl_arg_op(L, h, EXPLAIN_OP);
  if (op == PH_PHI || (ph_op_flags(h->f, op) & PH_LEAF))
    pl_error_arg(L, h, EXPLAIN_OP, "no rule is about '%o'", op);
  return op;
}

/* Counts the blocks at the end of the arguments, which are targets. */
static int count_targets(lua_State *L, int last) {
  int n = 0;
  while (last - n >= EXPLAIN_FIRST &&
         pl_userdata_test(L, last - n, PL_KIND_BLOCK) != NULL)
    n++;
  return n;
}

static void take_instruction(lua_State *L, question *q, int last) {
  bool says = ph_op_needstype(q->h->f, q->op);
  int n;
  q->ntargets = count_targets(L, last);
  n = last - q->ntargets - EXPLAIN_FIRST + 1 - says;
  if (n < 0) pl_operand_refuseuntyped(L, q->h, q->op);
  q->targets =
      lua_newuserdatauv(L, ((size_t)q->ntargets + 1) * sizeof *q->targets, 0);
  pl_operand_room(L, &q->operands, EXPLAIN_FIRST, n, 3);
  pl_access_change(L, q->h);
  for (int i = 0; i < q->ntargets; i++)
    q->targets[i] = pl_handle_argblock(L, q->h, last + 1 - q->ntargets + i);
  q->type = PH_NOTYPE;
  if (says) q->type = pl_arg_type(L, q->h, last);
  pl_operand_check(L, q->h, &q->operands, q->op, &q->type);
  pl_operand_checktargets(L, q->h, q->op, n, q->ntargets);
}

static int explained_guard(void *ud, ph_func *f, uint32_t rule,
                           uint32_t function, const ph_callback_arg *args,
                           uint32_t n) {
  question *q = ud;
  pl_callback_request r = {q->h, q->set, args, n, rule, false, PH_NOTYPE, 0};
  (void)f;
  return pl_callback_guard(q->L, &r, 1, function);
}

static int explained_constant(void *ud, ph_func *f, uint32_t rule,
                              uint32_t function, const ph_callback_arg *args,
                              uint32_t n, ph_type type, ph_data *result) {
  question *q = ud;
  pl_callback_request r = {q->h, q->set, args, n, rule, false, type, 0};
  (void)f;
  return pl_callback_constant(q->L, &r, 1, function, result);
}

/* Returns the explanation, which is in the buffer of the set. */
static int return_explained(lua_State *L, question *q, bool done) {
  ph_strbuf *b = &q->set->buf;
  if (!done) return lua_error(L);
  lua_pushlstring(L, b->at, b->n);
  ph_strbuf_done(b);
  return pl_access_return(L, q->h, 1);
}

/* R:explain(v[, name]) */
static int explain_value(lua_State *L, question *q, const ph_callbacks *hooks) {
  ph_str name = {"", 0};
  ph_value v;
  if (lua_gettop(L) > EXPLAIN_OP) pl_arg_count(L, 1, 2);
  lua_settop(L, EXPLAIN_OP);
  q->h = ((const pl_handle *)lua_touserdata(L, EXPLAIN_FN))->owner;
  q->h->actions.fn = pl_handle_pushowner(L, EXPLAIN_FN);
  pl_access_change(L, q->h);
  v = pl_handle_argvalue(L, q->h, EXPLAIN_FN);
  if (!lua_isnil(L, EXPLAIN_OP)) {
    name = pl_arg_str(L, EXPLAIN_OP);
    if (ph_ruleset_find(q->set->set, name) == 0)
      pl_ruleset_refusename(L, EXPLAIN_OP);
  }
  pl_ruleset_current(L, q->set);
  pl_access_begin(q->h, "explaining rules for", (ph_block){0});
  pl_access_end(q->h); /* explaining does not change the function */
  q->set->buf.n = 0;
  return return_explained(
      L, q,
      ph_value_explain(&q->set->buf, q->h->f, q->set->set, hooks, v, name));
}

/* R:explain(fn, op, ...) */
static int l_explain(lua_State *L) {
  pl_ruleset *r = pl_ruleset_check(L, 1);
  int last = lua_gettop(L);
  question q = {.L = L, .set = r};
  const ph_callbacks hooks = {
      .ud = &q, .guard = explained_guard, .constant = explained_constant};
  if (pl_userdata_test(L, EXPLAIN_FN, PL_KIND_VALUE) != NULL)
    return explain_value(L, &q, &hooks);
  q.h = pl_userdata_test(L, EXPLAIN_FN, PL_KIND_FUNC);
  if (q.h == NULL)
    pl_error_plainarg(L, EXPLAIN_FN,
                      "phial.Function or phial.Value expected, got %s",
                      pl_error_type(L, EXPLAIN_FN));
  if (last < EXPLAIN_OP) pl_arg_count(L, 2, INT32_MAX);
  pl_access_change(L, q.h);
  q.op = take_explained_op(L, q.h);
  take_instruction(L, &q, last);
  pl_ruleset_current(L, r);
  q.h->actions.fn = EXPLAIN_FN;
  pl_access_begin(q.h, "explaining rules for", (ph_block){0});
  pl_operand_make(L, q.h->f, &q.operands);
  pl_access_end(q.h); /* explaining does not change the function */
  const ph_value *args = q.operands.args;
  if (q.op == PH_ALLOCA &&
      ph_opcheck_allocaargs(q.h->f, args[0], args[1]) != PH_ALLOCA_FITS)
    pl_error(L, q.h,
             "no 'alloca' has such operands: its size, from 1 to %d, "
             "and its alignment, a power of two up to %d, are constants",
             (int)PH_ALLOCA_MOST, PH_ALIGN_MOST);
  r->buf.n = 0;
  return return_explained(L, &q,
                          ph_ruleset_explain(&r->buf, q.h->f, r->set, &hooks,
                                             q.op, q.type, args,
                                             (uint32_t)q.operands.n, q.targets,
                                             (uint32_t)q.ntargets));
}

const pl_method pl_rule_explain_methods[] = {
    {PL_OF_RULES, "explain", l_explain},
    {0},
};
