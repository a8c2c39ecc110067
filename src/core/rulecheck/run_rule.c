/* run_rule.c: evaluates a rule with given values.
**
** Ops are evaluated by opeval.c, so that what is checked about a rule is true
** of what runs.  Two things differ between languages, and a rule can be checked
** under each policy: the result of a shift by the width or more, and what a trap
** allows.
**
** What a guard asks about values (is it a phi? how often is it used?), and what
** callbacks say about values, is unknown here.  The answers are chosen like
** values: a rule must hold whatever the answer.  Callbacks whose arguments are
** all constants are called.
**
** A rule has at most about a thousand nodes and nests no deeper than its text,
** so the evaluation is recursive.
*/
#include "core/rulecheck/run_rule.h"

#include <string.h>

#include "phial/construct.h"
#include "phial/peephole.h"
#include "core/base/numfmt.h"
#include "core/ir/op.h"
#include "core/ir/opeval.h"
#include "core/ir/value.h"
#include "core/rules/match/match.h"
#include "core/rules/set/ruleset.h"

/*
** {== One op =========================================================
*/

static ph_semantics means(ph_outcome is) {
  const ph_semantics m = {is, 0, false};
  return m;
}

static ph_semantics value_of(int64_t bits) {
  const ph_semantics m = {PH_MEANS_VALUE, bits, false};
  return m;
}

/* Evaluates one op with n operands of these types, none of which traps. */
static ph_semantics eval_op(ph_op op, ph_shift_policy shifts, ph_exprtype type,
                            const ph_exprtype *types, const int64_t *args,
                            uint32_t n) {
  const ph_exprtype of = n > 0 ? types[op == PH_SELECT] : type;
  const ph_number from = {of.bits, of.isfloat}, to = {type.bits, type.isfloat};
  uint64_t bits[3] = {0, 0, 0}, r;
  for (uint32_t i = 0; i < n && i < 3; i++) bits[i] = (uint64_t)args[i];
  if (op == PH_COPY) return value_of(args[0]);
  if (ph_op_isshift(op) && ph_exprtype_unsigned(type, args[1]) >= type.bits) {
    if (shifts == PH_SHIFT_UNDEF) return means(PH_MEANS_ANYTHING);
    if (shifts == PH_SHIFT_ZERO) {
      if (op != PH_SAR) return value_of(0);
      return value_of(ph_exprtype_normal(type, (uint64_t)args[0]) < 0 ? -1 : 0);
    }
  }
  switch (ph_opeval_bits(op, from, to, bits, &r)) {
    case PH_OPEVAL_DONE:
      return value_of(ph_exprtype_normal(type, r));
    case PH_OPEVAL_TRAPS:
      return means(PH_MEANS_TRAP);
    default:
      return means(PH_MEANS_NOTHING);
  }
}

/* }== Callbacks ====================================================== */

static bool has_values(const ph_rule *rule, uint32_t call) {
  PH_EACH_KID(rule, call, kid)
  if (rule->nodes[kid].kind == PH_R_VAR) return true;
  return false;
}

/* Returns the number type of phial with that width, or PH_NOTYPE. */
static ph_type type_like(ph_exprtype t) {
  for (ph_type type = PH_I1; type < PH_ANY; type++)
    if (ph_type_width(type) == t.bits && ph_type_isfloat(type) == t.isfloat)
      return type;
  return PH_NOTYPE;
}

/* Gives a constant to a callback; as i64 if no type has its width. */
static void give_value(ph_callback_arg *g, ph_exprtype t, int64_t value) {
  memset(g, 0, sizeof *g);
  g->type = t.own != PH_NOTYPE ? t.own : type_like(t);
  if (g->type == PH_NOTYPE) g->type = PH_I64;
  g->constant.tag = t.isfloat ? PH_DATA_FLOAT : PH_DATA_INT;
  g->constant.bits = (uint64_t)value;
}

static const ph_exprtype any_type = {64, false, PH_ANY};

ph_exprtype ph_run_rule_typeof(const ph_run_rule *a, const ph_rulevar *var) {
  return var->kind == PH_V_DATA ? any_type : a->types[var->type];
}

/* Gives data of which there is a copy, a text as s. */
static void give_copy(const ph_run_rule *a, ph_callback_arg *g, ph_data data,
                      ph_str s) {
  memset(g, 0, sizeof *g);
  g->type = data.tag == PH_DATA_INT     ? PH_I64
            : data.tag == PH_DATA_FLOAT ? PH_F64
            : data.tag == PH_DATA_BOOL  ? PH_I1
                                        : PH_ANY;
  g->constant = data;
  if (data.tag == PH_DATA_STR)
    g->constant.bits = ph_intern_add(&a->set->space, s);
}

static bool call_helper(ph_run_rule *a, uint32_t node, ph_exprtype type,
                        int64_t *value);

/* Gives the data of an operation; false: a helper has none. */
static bool give_data(ph_run_rule *a, uint32_t node, ph_callback_arg *g) {
  const ph_rulenode *n = &a->rule->nodes[node];
  const ph_data data = {n->bits, (ph_tag)n->var};
  int64_t value = a->vars[n->kind == PH_R_DATA ? n->var : 0];
  if (n->kind == PH_R_LIT) {
    give_copy(a, g, data, a->rule->vars[n->op].name);
    return true;
  }
  if (n->kind == PH_R_HELPER && !call_helper(a, node, any_type, &value))
    return false;
  give_value(g, any_type, value);
  return true;
}

static bool pass_argument(ph_run_rule *a, uint32_t node, ph_callback_arg *g) {
  const ph_rulenode *n = &a->rule->nodes[node];
  int64_t value = a->vars[n->var];
  if (n->kind == PH_R_DATA || (n->kind == PH_R_HELPER && n->type == 0))
    return give_data(a, node, g);
  if (n->kind != PH_R_VAR && !ph_run_rule_expr(a, node, &value)) return false;
  give_value(g, a->types[n->type], value);
  return true;
}

/* Passes the arguments of a call; NULL: one has no value. */
static ph_callback_arg *pass_arguments(ph_run_rule *a, uint32_t node) {
  ph_callback_arg *args = ph_arena_alloc(
      a->arena, (a->rule->nodes[node].nkids + 1u) * sizeof *args);
  uint32_t i = 0;
  PH_EACH_KID(a->rule, node, kid) {
    if (!pass_argument(a, kid, &args[i++])) return NULL;
  }
  return args;
}

/* Asks the host for the constant of a helper; false: it has none. */
static bool call_helper(ph_run_rule *a, uint32_t node, ph_exprtype type,
                        int64_t *value) {
  const ph_rulenode *n = &a->rule->nodes[node];
  const ph_callbacks *callbacks = a->how->callbacks;
  ph_type as = type.own != PH_NOTYPE ? type.own : type_like(type);
  ph_data data = {(uint64_t) - (int64_t)node, PH_DATA_INT};
  ph_callback_arg *args;
  int said;
  if (callbacks == NULL || callbacks->constant == NULL) return false;
  args = pass_arguments(a, node);
  if (args == NULL) return false;
  said =
      callbacks->constant(callbacks->ud, &a->set->space, a->number, n->var,
                          args, n->nkids, as == PH_NOTYPE ? PH_I64 : as, &data);
  ph_arena_drop(a->arena, args, (n->nkids + 1u) * sizeof *args);
  a->failed = a->failed || said < 0;
  *value = ph_exprtype_normal(type, data.bits);
  return said > 0;
}

/* Calls a callback of a guard, or asks what the host knows of its fact if it is
** about values: then it says so only where that was chosen. */
static bool call_guard(ph_run_rule *a, uint32_t node, int64_t *answer) {
  const ph_rulenode *n = &a->rule->nodes[node];
  const ph_callbacks *callbacks = a->how->callbacks;
  ph_callback_arg *args = pass_arguments(a, node);
  bool facts = has_values(a->rule, node);
  int said;
  if (args == NULL) return false;
  if (facts)
    said = a->how->holds(a->how->ud, a->number, n->var, args, n->nkids);
  else
    said = callbacks->guard(callbacks->ud, &a->set->space, a->number, n->var,
                            args, n->nkids);
  ph_arena_drop(a->arena, args, (n->nkids + 1u) * sizeof *args);
  if (said < -1 || (said < 0 && !facts)) a->failed = true;
  if (said < 0) a->supposed = a->assumed = true;
  *answer = facts ? a->nodes[node] != 0 && said != 0 : said > 0;
  return !a->failed;
}

/* The functions of integers: each returns all that is true of x. */
static int64_t fact_nonneg(int64_t x) { return x >= 0; }
static int64_t fact_nonzero(int64_t x) { return x != 0; }
static int64_t fact_zero_bits(int64_t x) { return ~x; }

static int64_t (*const facts[])(int64_t x) = {
#define FACT_NUMBERS(name) NULL
#define FACT_TYPE(name) NULL
#define FACT_VALUE(name) NULL
#define FACT_INTEGER(name) fact_##name
#define PH_FUNCTION(NAME, name, argument, count, result, text) \
  FACT_##argument(name),
#include "core/rules/set/functions.def"
};

/* Answers with a fact: any that is true of the value.  Which of them are known
** was chosen. */
static int64_t true_fact(const ph_run_rule *a, uint32_t node) {
  const ph_rulenode *n = &a->rule->nodes[node];
  int64_t x = a->vars[a->rule->nodes[n->first].var];
  return a->nodes[node] & facts[ph_function_index(n->op)](x);
}

/* Answers what an expression asks: by a callback, or as was chosen. */
static bool ask(const ph_bindings *b, uint32_t node, int64_t *answer) {
  ph_run_rule *a = b->ud;
  const ph_callbacks *callbacks = a->how->callbacks;
  bool asks = has_values(a->rule, node);
  if (a->rule->nodes[node].kind == PH_R_HELPER)
    return call_helper(a, node, a->types[a->rule->nodes[node].type], answer);
  if (a->rule->nodes[node].kind == PH_R_CALL &&
      (asks ? a->how->holds != NULL
            : callbacks != NULL && callbacks->guard != NULL))
    return call_guard(a, node, answer);
  *answer = a->nodes[node];
  if (ph_function_isof(a->rule->nodes[node].op, PH_OF_INTEGER))
    *answer = true_fact(a, node);
  return true;
}

bool ph_run_rule_expr(ph_run_rule *a, uint32_t node, int64_t *value) {
  const ph_bindings b = {a->rule, a->vars, a->types, ask, a};
  return ph_constexpr_eval(&b, node, value);
}

/* }== Terminators ==================================================== */

static uint32_t kid_at(const ph_rule *rule, uint32_t node, uint32_t i) {
  uint32_t kid = rule->nodes[node].first;
  while (i-- > 0) kid = rule->nodes[kid].next;
  return kid;
}

static ph_semantics go_to(const ph_rule *rule, uint32_t node, uint32_t i) {
  return value_of(rule->nodes[kid_at(rule, node, i)].var);
}

/* Operands first: the value, then the keys; labels follow. */
static ph_semantics switch_to(const ph_rule *rule, uint32_t node,
                              const int64_t *args, uint32_t n) {
  uint32_t found = 0;
  for (uint32_t i = 1; i < n; i++)
    for (uint32_t j = i + 1; j < n; j++)
      if (args[i] == args[j]) return means(PH_MEANS_NOTHING);
  for (uint32_t i = 1; i < n; i++)
    if (args[i] == args[0]) found = i;
  return go_to(rule, node, n + found);
}

static ph_semantics eval_terminator(const ph_rule *rule, uint32_t node,
                                    const int64_t *args, uint32_t n) {
  switch (rule->nodes[node].op) {
    case PH_JUMP:
      return go_to(rule, node, 0);
    case PH_BRANCH:
      return go_to(rule, node, args[0] != 0 ? 1 : 2);
    case PH_SWITCH:
      return switch_to(rule, node, args, n);
    case PH_RET:
      return value_of(n > 0 ? args[0] : 0);
    default: /* unreachable */
      return means(PH_MEANS_ANYTHING);
  }
}

/* }== Trees ========================================================== */

static ph_semantics eval_tree(ph_run_rule *a, uint32_t node);

/* Evaluates the operands; the first that is not a value decides. */
static ph_semantics eval_operands(ph_run_rule *a, uint32_t node, int64_t *args,
                                  ph_exprtype *types, uint32_t *n) {
  ph_semantics all = value_of(0);
  PH_EACH_KID(a->rule, node, kid) {
    ph_semantics m;
    if (a->rule->nodes[kid].kind == PH_R_LABEL) break;
    m = eval_tree(a, kid);
    args[*n] = m.bits;
    types[(*n)++] = a->types[a->rule->nodes[kid].type];
    if (m.is > all.is) all = m;
  }
  all.inner = all.is == PH_MEANS_TRAP;
  return all;
}

bool ph_run_op_knows(const ph_run_rule *a, ph_op op, uint32_t nargs) {
  const ph_func *space = &a->set->space;
  return nargs <= PH_OPERANDS_MOST && a->how->evals != NULL &&
         a->how->evals(a->how->ud, op) &&
         ph_op_effectof(space, op) == PH_EFFECT_NONE;
}

/* data: NULL: it has none; number: of the result, if it is of an own type. */
static ph_semantics eval_dialect(const ph_run_rule *a, ph_op op,
                                 ph_exprtype type, const ph_exprtype *types,
                                 const int64_t *args, uint32_t count,
                                 const ph_callback_arg *data, uint32_t number) {
  ph_callback_arg given[PH_OPERANDS_MOST + 1], result;
  for (uint32_t i = 0; i < count; i++) give_value(&given[i], types[i], args[i]);
  if (data != NULL) given[count++] = *data;
  give_value(&result, type, -(int64_t)number);
  if (!a->how->eval(a->how->ud, op, given, count, &result))
    return means(PH_MEANS_TRAP);
  return value_of(ph_exprtype_normal(type, result.constant.bits));
}

static ph_semantics eval_operation(ph_run_rule *a, uint32_t node) {
  const ph_rulenode *n = &a->rule->nodes[node];
  int64_t args[PH_OPERANDS_MOST] = {0};
  ph_exprtype types[PH_OPERANDS_MOST] = {{0}};
  ph_callback_arg data;
  uint32_t count = 0;
  ph_semantics m = eval_operands(a, node, args, types, &count);
  if (m.is != PH_MEANS_VALUE) return m;
  if (n->bits != 0 && !give_data(a, (uint32_t)n->bits, &data))
    return means(PH_MEANS_NOTHING);
  if (n->op >= PH_OPS)
    m = eval_dialect(a, n->op, a->types[n->type], types, args, count,
                     n->bits != 0 ? &data : NULL, node);
  else if (ph_op_rows[n->op].flags & PH_TERMINATOR)
    m = eval_terminator(a->rule, node, args, count);
  else
    m = eval_op(n->op, a->how->shifts, a->types[n->type], types, args, count);
  if (n->var != 0) a->vars[n->var] = m.bits;
  return m;
}

static ph_semantics eval_tree(ph_run_rule *a, uint32_t node) {
  const ph_rulenode *n = &a->rule->nodes[node];
  int64_t value;
  switch (n->kind) {
    case PH_R_VAR:
      return value_of(a->vars[n->var]);
    case PH_R_ANY:
      return value_of(a->nodes[node]);
    case PH_R_ONLY:
      return eval_tree(a, n->first);
    case PH_R_OP:
      return eval_operation(a, node);
    default:
      if (!ph_run_rule_expr(a, node, &value)) return means(PH_MEANS_NOTHING);
      return value_of(value);
  }
}

/* }== Choosing types and values ====================================== */

static bool cast_fits(ph_op op, ph_exprtype from, ph_exprtype to) {
  switch (ph_op_classof(op)) {
    case PH_CLASS_NARROW:
    case PH_CLASS_FNARROW:
      return to.bits < from.bits;
    case PH_CLASS_WIDEN:
    case PH_CLASS_FWIDEN:
      return to.bits > from.bits;
    case PH_CLASS_BITCAST:
      return to.bits == from.bits;
    default:
      return true;
  }
}

/* True if the casts are possible between these types. */
static bool casts_fit(const ph_rule *rule, const ph_exprtype *types) {
  for (uint32_t i = 1; i < rule->nnodes; i++) {
    const ph_rulenode *n = &rule->nodes[i];
    if (n->kind != PH_R_OP && n->kind != PH_R_EXPR) continue;
    if (!ph_op_iscast(n->op)) continue;
    if (!cast_fits(n->op, types[rule->nodes[n->first].type], types[n->type]))
      return false;
  }
  return true;
}

static bool fits_integer(ph_exprtype t, const ph_rulenode *n) {
  int64_t i = (int64_t)n->bits;
  int64_t most = t.bits == 64 ? INT64_MAX : ((int64_t)1 << t.bits) - 1;
  if (t.bits == 64 || t.bits == 0) return true;
  return n->op == 0 && i <= most && i >= -((int64_t)1 << (t.bits - 1));
}

static bool fits_literal(ph_exprtype t, const ph_rulenode *n) {
  double d;
  if (t.own != PH_NOTYPE) return false;
  if (n->var == PH_DATA_INT) return !t.isfloat && fits_integer(t, n);
  if (n->var == PH_DATA_BOOL) return t.bits <= 1;
  memcpy(&d, &n->bits, sizeof d);
  return t.isfloat && (t.bits == 64 || (double)(float)d == d);
}

bool ph_run_rule_fits(const ph_run_rule *a) {
  for (uint32_t i = 1; i < a->rule->nvars; i++)
    if (a->rule->vars[i].kind == PH_V_CONST &&
        a->types[a->rule->vars[i].type].own != PH_NOTYPE)
      return false;
  for (uint32_t i = 1; i < a->rule->nnodes; i++) {
    const ph_rulenode *n = &a->rule->nodes[i];
    if (n->kind == PH_R_LIT && n->type != 0 &&
        !fits_literal(a->types[n->type], n))
      return false;
  }
  return casts_fit(a->rule, a->types);
}

void ph_run_rule_start(ph_run_rule *a) {
  const ph_rule *rule = a->rule;
  a->types = ph_arena_zero(a->arena, rule->ntypes * sizeof *a->types);
  a->vars = ph_arena_zero(a->arena, rule->nvars * sizeof *a->vars);
  a->nodes = ph_arena_zero(a->arena, rule->nnodes * sizeof *a->nodes);
  for (uint32_t i = 1; i < rule->nvars; i++)
    a->named = a->named || rule->vars[i].node != 0;
  ph_inputs_start(&a->cases, a->arena, rule);
}

uint32_t ph_run_rule_samples(const ph_check_options *how, ph_type own) {
  return how->samples != NULL ? how->samples(how->ud, own) : 0;
}

static void add_unknown(ph_run_rule *a, int64_t *value, ph_exprtype type,
                        bool constant) {
  uint32_t samples =
      type.own != PH_NOTYPE ? ph_run_rule_samples(a->how, type.own) : 0;
  const ph_unknown u = {value, type, samples, 0, constant};
  ph_unknowns_push(&a->cases.all, a->arena, u);
}

uint32_t ph_run_rule_data(const ph_run_rule *a, uint32_t var,
                          uint32_t *before) {
  *before = 0;
  for (uint32_t i = 1; a->how->data != NULL && i < a->rule->nnodes; i++) {
    const ph_rulenode *n = &a->rule->nodes[i];
    const ph_rulenode *data = &a->rule->nodes[n->kind == PH_R_OP ? n->bits : 0];
    if (data->kind == PH_R_DATA && data->var == var)
      return a->how->data(a->how->ud, n->op, before);
  }
  return 0;
}

/* The data of each op have samples of their own. */
static void choose_data(ph_run_rule *a) {
  for (uint32_t i = 1; i < a->rule->nvars; i++) {
    ph_unknown u = {&a->vars[i], any_type, 0, 0, true};
    if (a->rule->vars[i].kind != PH_V_DATA) continue;
    u.samples = ph_run_rule_data(a, i, &u.before);
    ph_unknowns_push(&a->cases.all, a->arena, u);
  }
}

/* Collects the variables of a kind: constants precede values, so that these are
** often chosen equal to them. */
static void choose_vars(ph_run_rule *a, ph_rulevarkind kind) {
  const ph_rule *rule = a->rule;
  for (uint32_t i = 1; i < rule->nvars; i++)
    if (rule->vars[i].kind == kind && rule->vars[i].node == 0)
      add_unknown(a, &a->vars[i], a->types[rule->vars[i].type],
                  kind == PH_V_CONST);
}

/* True if the node is a question whose answer is unknown. */
static bool is_question(const ph_run_rule *a, const ph_rulenode *n,
                        uint32_t node) {
  if (n->kind == PH_R_EXPR) return ph_function_asks(n->op);
  return n->kind == PH_R_CALL && node != a->rule->rhs &&
         (a->how->callbacks == NULL || has_values(a->rule, node));
}

void ph_run_rule_typed(ph_run_rule *a) {
  const ph_exprtype number = {3, false, PH_NOTYPE};
  const ph_exprtype truth = {1, false, PH_NOTYPE};
  const ph_rule *rule = a->rule;
  a->cases.all.n = 0;
  choose_data(a);
  choose_vars(a, PH_V_CONST);
  choose_vars(a, PH_V_VALUE);
  for (uint32_t i = 1; i < rule->nnodes; i++) {
    const ph_rulenode *n = &rule->nodes[i];
    if (n->kind == PH_R_ANY)
      add_unknown(a, &a->nodes[i], a->types[n->type], false);
    if (!is_question(a, n, i)) continue;
    add_unknown(a, &a->nodes[i],
                ph_function_gives(n->op, PH_GIVES_NUMBER)  ? number
                : ph_function_gives(n->op, PH_GIVES_SIZED) ? a->types[n->type]
                                                           : truth,
                false);
    if (n->kind == PH_R_EXPR && !ph_function_isof(n->op, PH_OF_INTEGER))
      a->assumed = true;
    if (n->kind == PH_R_CALL && a->how->holds == NULL)
      a->assumed = a->supposed = true;
  }
}

/* }== Rules ========================================================== */

/* True if a guard depends on more than types. */
static bool depends_on_values(const ph_run_rule *a, uint32_t node) {
  const ph_rulenode *n = &a->rule->nodes[node];
  if (n->kind == PH_R_TYPE) return false;
  if (n->kind != PH_R_EXPR && n->kind != PH_R_LIT) return true;
  if (n->kind == PH_R_EXPR && ph_function_asks(n->op)) return true;
  PH_EACH_KID(a->rule, node, kid) {
    if (depends_on_values(a, kid)) return true;
  }
  return false;
}

/* True if both are the same value, or label, at the pattern's root. */
static bool is_equal(ph_run_rule *a, int64_t x, int64_t y) {
  const ph_rulenode *root = &a->rule->nodes[a->rule->lhs];
  ph_exprtype t = a->types[root->type];
  if (root->op == PH_RET && root->first != 0)
    t = a->types[a->rule->nodes[root->first].type];
  if (x == y) return true;
  if (t.own != PH_NOTYPE) return a->how->same(a->how->ud, t.own, x, y);
  if (!t.isfloat || !ph_numfmt_isnan((uint64_t)x) ||
      !ph_numfmt_isnan((uint64_t)y))
    return false;
  a->nans = true;
  return true;
}

/* True if the result `r` will do for the pattern `l`. */
static bool is_right(ph_run_rule *a, ph_semantics l, ph_semantics r) {
  bool may = a->how->traps == PH_TRAP_UNDEF;
  if (l.is == PH_MEANS_NOTHING || r.is == PH_MEANS_NOTHING) return true;
  if (l.is == PH_MEANS_ANYTHING || l.inner) return true;
  if (l.is == PH_MEANS_TRAP) return may || r.is == PH_MEANS_TRAP;
  return r.is == PH_MEANS_VALUE && is_equal(a, l.bits, r.bits);
}

bool ph_run_rule_guarded(ph_run_rule *a) {
  int64_t yes = 1;
  if (a->rule->guard == 0) return true;
  return ph_run_rule_expr(a, a->rule->guard, &yes) && yes != 0;
}

bool ph_run_rule_excludes(ph_run_rule *a) {
  if (a->rule->guard == 0 || depends_on_values(a, a->rule->guard)) return false;
  return !ph_run_rule_guarded(a);
}

ph_finding ph_run_rule_run(ph_run_rule *a) {
  ph_finding found = {false, false, false, true, {0}, {0}};
  /* the guard is mostly false, but may ask about what the pattern names */
  if (a->named) found.pattern = eval_tree(a, a->rule->lhs);
  found.guarded = ph_run_rule_guarded(a);
  if (!found.guarded) return found;
  if (!a->named) found.pattern = eval_tree(a, a->rule->lhs);
  if (found.pattern.is == PH_MEANS_NOTHING || found.pattern.inner) return found;
  found.meant = true;
  found.result = eval_tree(a, a->rule->rhs);
  found.applies = found.result.is != PH_MEANS_NOTHING;
  found.holds = is_right(a, found.pattern, found.result);
  return found;
}

/* }== Rules whose result a callback makes ============================ */

/* The callback is run to see what it makes: in a function of its own, with this
** rule only, the pattern is emitted, with parameters for the values and
** constants for the constants.  What that function then contains is evaluated
** with many values. */

struct ph_acted {
  ph_func *f;      /* made by the host */
  uint32_t *vars;  /* by variable: its parameter */
  uint32_t *nodes; /* by node _ */
  bool called;     /* the action was called */
  uint32_t made;   /* the value of the pattern; 0: the rule did not apply */
};

bool ph_run_action_has(const ph_rule *rule) {
  return rule->nodes[rule->rhs].kind == PH_R_CALL;
}

static ph_type type_of(const ph_run_rule *a, uint32_t type) {
  if (a->rule->types[type].fixed == PH_PTR) return PH_PTR;
  if (a->types[type].own == PH_NOTYPE) return type_like(a->types[type]);
  return ph_type_in(a->acted->f, &a->set->space, a->types[type].own);
}

/* The other way round, for a value of the function. */
static ph_exprtype exprtype_of(const ph_run_rule *a, ph_type type) {
  const ph_exprtype own = {64, false,
                           ph_type_in(&a->set->space, a->acted->f, type)};
  return type >= PH_ANY ? own : ph_exprtype_of(type);
}

static uint32_t emit_pattern(ph_run_rule *a, uint32_t node);

/* Returns the data of an operation of the pattern as those of an instruction. */
static ph_data data_of(const ph_run_rule *a, ph_func *f, uint32_t node) {
  const ph_rulenode *n = &a->rule->nodes[node];
  ph_data data = {n->bits, (ph_tag)n->var};
  if (node == 0) return (ph_data){0, PH_DATA_NONE};
  if (n->kind == PH_R_LIT && data.tag == PH_DATA_STR)
    data.bits = ph_intern_add(f, a->rule->vars[n->op].name);
  if (n->kind == PH_R_LIT) return data;
  if (a->how->keep != NULL) return a->how->keep(a->how->ud, f, a->vars[n->var]);
  return (ph_data){(uint64_t)a->vars[n->var], PH_DATA_INT};
}

static uint32_t emit_op(ph_run_rule *a, uint32_t node) {
  const ph_rulenode *n = &a->rule->nodes[node];
  ph_func *f = a->acted->f;
  ph_value args[PH_OPERANDS_MOST];
  ph_op op = ph_op_in(f, &a->set->space, n->op);
  uint32_t count = 0, v;
  PH_EACH_KID(a->rule, node, kid) {
    if ((args[count++].id = emit_pattern(a, kid)) == 0) return 0;
  }
  v = ph_build_emitdata(f, ph_block_entry(f), op, type_of(a, n->type), args,
                        count, data_of(a, f, (uint32_t)n->bits))
          .id;
  if (n->var != 0) a->acted->vars[n->var] = v;
  return v;
}

/* Emits a node of the pattern; 0: the callback failed, or it has no value. */
static uint32_t emit_pattern(ph_run_rule *a, uint32_t node) {
  const ph_rulenode *n = &a->rule->nodes[node];
  int64_t value;
  switch (n->kind) {
    case PH_R_OP:
      return emit_op(a, node);
    case PH_R_VAR:
      return a->acted->vars[n->var];
    case PH_R_ANY:
      return a->acted->nodes[node];
    default:
      if (!ph_run_rule_expr(a, node, &value)) return 0;
      ph_type t = type_of(a, n->type);
      ph_data data = {(uint64_t)value, PH_DATA_FLOAT};
      if (ph_type_isfloat(t)) return ph_const_of(a->acted->f, t, data);
      return ph_const_int(a->acted->f, t, ph_const_normal(t, value)).id;
  }
}

uint32_t ph_run_rule_emit(ph_run_rule *a, ph_func *f) {
  const ph_rule *rule = a->rule;
  const ph_str any = {"_", 1};
  ph_acted *acted = a->acted;
  if (acted == NULL) {
    acted = a->acted = ph_arena_zero(a->arena, sizeof *acted);
    acted->vars = ph_arena_zero(a->arena, rule->nvars * sizeof(uint32_t));
    acted->nodes = ph_arena_zero(a->arena, rule->nnodes * sizeof(uint32_t));
  }
  acted->f = f;
  for (uint32_t i = 1; i < rule->nvars; i++)
    if (rule->vars[i].kind == PH_V_VALUE && rule->vars[i].node == 0)
      acted->vars[i] = ph_value_newparam(f, rule->vars[i].name,
                                         type_of(a, rule->vars[i].type))
                           .id;
  for (uint32_t i = 1; i < rule->nnodes; i++)
    if (rule->nodes[i].kind == PH_R_ANY)
      acted->nodes[i] =
          ph_value_newparam(f, any, type_of(a, rule->nodes[i].type)).id;
  return emit_pattern(a, rule->lhs);
}

bool ph_run_action_start(ph_run_rule *a) {
  ph_func *f = a->how->open(a->how->ud, a->number);
  uint32_t made;
  a->failed = f == NULL;
  if (a->failed) return false;
  made = ph_run_rule_emit(a, f);
  a->acted->made = made;
  a->failed = f->matcher->failed;
  a->acted->called = ph_peephole_napplied(f) > 0;
  if (ph_match_hits(f, 1) == 0) a->acted->made = 0;
  return !a->failed;
}

static ph_semantics meaning_of(const ph_run_rule *a, uint32_t v,
                               const ph_semantics *all) {
  const ph_func *f = a->acted->f;
  const ph_node *n = ph_node_of(f, v);
  if (n->op != PH_CONST) return all[v];
  if (n->type >= PH_ANY) return means(PH_MEANS_NOTHING);
  return value_of(
      ph_exprtype_normal(ph_exprtype_of(n->type), f->datas.at[n->aux].bits));
}

static ph_semantics eval_inst(const ph_run_rule *a, uint32_t v,
                              const ph_semantics *all) {
  const ph_func *f = a->acted->f;
  const ph_node *n = ph_node_of(f, v);
  ph_op op = ph_op_in(&a->set->space, f, n->op);
  ph_exprtype types[PH_OPERANDS_MOST] = {{0}};
  int64_t args[PH_OPERANDS_MOST] = {0};
  ph_semantics m = means(PH_MEANS_NOTHING);
  ph_data data = op < PH_OPS ? (ph_data){0} : f->datas.at[n->aux];
  ph_callback_arg given;
  if (data.tag >= PH_DATA_HOST) return m;
  if (op < PH_OPS ? !ph_op_computes(op) && op != PH_COPY
                  : !ph_run_op_knows(a, op, n->nargs))
    return m;
  for (uint32_t i = 0; i < n->nargs; i++) {
    uint32_t arg = ph_body_operand(f, v, i);
    m = meaning_of(a, arg, all);
    if (m.is != PH_MEANS_VALUE) return m;
    types[i] = exprtype_of(a, ph_node_of(f, arg)->type);
    args[i] = m.bits;
  }
  if (data.tag != PH_DATA_NONE)
    give_copy(a, &given, data,
              data.tag == PH_DATA_STR ? ph_intern_string(f, (uint32_t)data.bits)
                                      : (ph_str){"", 0});
  if (op >= PH_OPS)
    return eval_dialect(a, op, exprtype_of(a, n->type), types, args, n->nargs,
                        data.tag != PH_DATA_NONE ? &given : NULL,
                        a->rule->nnodes + v);
  return eval_op(op, a->how->shifts, ph_exprtype_of(n->type), types, args,
                 n->nargs);
}

/* Evaluates everything that was made, even what the result does not need: it
** may trap. */
static ph_semantics eval_made(const ph_run_rule *a) {
  const ph_func *f = a->acted->f;
  size_t size = f->nodes.n * sizeof(ph_semantics);
  ph_semantics *all = ph_arena_zero(a->arena, size);
  ph_semantics r = value_of(0);
  for (uint32_t i = 1; i < a->rule->nvars; i++)
    all[a->acted->vars[i]].bits = a->vars[i];
  for (uint32_t i = 1; i < a->rule->nnodes; i++)
    all[a->acted->nodes[i]].bits = a->nodes[i];
  PH_EACH_INST(f, ph_block_entry(f).id, v) {
    all[v] = eval_inst(a, v, all);
    if (all[v].is > r.is) r = all[v];
  }
  if (r.is == PH_MEANS_VALUE)
    r = meaning_of(a, ph_body_resolve(f, a->acted->made), all);
  ph_arena_drop(a->arena, all, size);
  return r;
}

ph_finding ph_run_action_run(ph_run_rule *a) {
  ph_finding found = {false, false, false, true, {0}, {0}};
  found.guarded = a->acted->called;
  found.pattern = eval_tree(a, a->rule->lhs);
  found.meant = found.pattern.is != PH_MEANS_NOTHING && !found.pattern.inner;
  if (a->acted->made == 0 || found.pattern.is == PH_MEANS_NOTHING) return found;
  found.result = eval_made(a);
  if (found.result.is == PH_MEANS_NOTHING) a->beyond = true;
  found.applies = !found.pattern.inner && !a->beyond;
  found.holds = is_right(a, found.pattern, found.result);
  return found;
}

/* }=================================================================== */
