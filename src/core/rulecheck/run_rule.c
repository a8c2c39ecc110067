/* run_rule.c: evaluates a rule with given values.
**
** What a guard asks about values (is it a phi? how often is it used?), and what
** callbacks say about values, is unknown here.  The answers are chosen like
** values: a rule must hold whatever the answer.  Callbacks whose arguments are
** all constants are called.
*/
#include "core/rulecheck/run_rule.h"

#include <string.h>

#include "core/base/numfmt.h"
#include "core/rules/set/functions.h"
#include "core/rules/set/ruleset.h"

/*
** {== Functions of the host ==========================================
*/

static bool has_values(const ph_rule *rule, uint32_t call) {
  PH_EACH_KID(rule, call, kid)
  if (rule->nodes[kid].kind == PH_R_VAR) return true;
  return false;
}

/* Gives a constant to a callback; as i64 if no type has its width. */
static void give_value(ph_callback_arg *g, ph_exprtype t, int64_t value) {
  memset(g, 0, sizeof *g);
  g->type = PH_I64;
  for (ph_type type = PH_I1; type < PH_ANY; type++)
    if (ph_type_width(type) == t.bits && ph_type_isfloat(type) == t.isfloat)
      g->type = type;
  g->constant.tag = t.isfloat ? PH_DATA_FLOAT : PH_DATA_INT;
  g->constant.bits = (uint64_t)value;
}

static bool give(ph_run_rule *a, uint32_t node, ph_callback_arg *g) {
  int64_t value;
  if (!ph_semantics_expr(&a->values, node, &value)) return false;
  give_value(g, a->types[a->rule->nodes[node].type], value);
  return true;
}

/* Returns an integer of that type as all values are here, sign-extended. */
static int64_t normal(ph_type type, uint64_t bits) {
  int unused = 64 - ph_type_width(type);
  return ph_type_isint(type) ? (int64_t)(bits << unused) >> unused
                             : (int64_t)bits;
}

/* Evaluates an op of a dialect; false: it traps. */
static bool eval_host(void *ud, ph_op op, const ph_exprtype *types,
                      const int64_t *args, uint32_t n, int64_t *value) {
  ph_run_rule *a = ud;
  ph_callback_arg given[PH_SEMANTICS_MOST], result;
  for (uint32_t i = 0; i < n; i++) give_value(&given[i], types[i], args[i]);
  if (!a->how->eval(a->how->ud, op, given, n, &result)) return false;
  *value = normal(result.type, result.constant.bits);
  return true;
}

static bool ask_host(void *ud, uint32_t node, int64_t *answer) {
  ph_run_rule *a = ud;
  const ph_rulenode *n = &a->rule->nodes[node];
  const ph_callbacks *callbacks = a->how->callbacks;
  ph_callback_arg *args;
  uint32_t i = 0;
  int said;
  *answer = a->nodes[node];
  if (has_values(a->rule, node) || callbacks == NULL ||
      callbacks->guard == NULL)
    return true;
  args = ph_arena_alloc(a->arena, (n->nkids + 1u) * sizeof *args);
  PH_EACH_KID(a->rule, node, kid) {
    if (!give(a, kid, &args[i++])) return false;
  }
  said = callbacks->guard(callbacks->ud, &a->set->space, a->number, n->var,
                          args, n->nkids);
  ph_arena_drop(a->arena, args, (n->nkids + 1u) * sizeof *args);
  if (said < 0) a->failed = true;
  *answer = said > 0;
  return said >= 0;
}

/* }== What is chosen ================================================= */

void ph_run_rule_start(ph_run_rule *a) {
  const ph_rule *rule = a->rule;
  a->types = ph_arena_zero(a->arena, rule->ntypes * sizeof *a->types);
  a->vars = ph_arena_zero(a->arena, rule->nvars * sizeof *a->vars);
  a->nodes = ph_arena_zero(a->arena, rule->nnodes * sizeof *a->nodes);
  a->values = (ph_assignment){rule,           a->types, a->vars,   a->nodes,
                              a->how->shifts, ask_host, eval_host, a};
  ph_inputs_start(&a->cases, a->arena, rule);
}

static void choose(ph_run_rule *a, int64_t *value, ph_exprtype type,
                   bool constant) {
  const ph_unknown u = {value, type, constant};
  ph_unknowns_push(&a->cases.all, a->arena, u);
}

/* Collects the variables of a kind: constants precede values, so that these are
** often chosen equal to them. */
static void choose_vars(ph_run_rule *a, ph_rulevarkind kind) {
  const ph_rule *rule = a->rule;
  for (uint32_t i = 1; i < rule->nvars; i++)
    if (rule->vars[i].kind == kind)
      choose(a, &a->vars[i], a->types[rule->vars[i].type], kind == PH_V_CONST);
}

/* True if the node is a question whose answer is unknown. */
static bool is_question(const ph_run_rule *a, const ph_rulenode *n,
                        uint32_t node) {
  if (n->kind == PH_R_EXPR) return ph_function_isof(n->op, PH_OF_VALUE);
  return n->kind == PH_R_CALL && node != a->rule->rhs &&
         (a->how->callbacks == NULL || has_values(a->rule, node));
}

void ph_run_rule_typed(ph_run_rule *a) {
  const ph_exprtype number = {3, false}, truth = {1, false};
  const ph_rule *rule = a->rule;
  a->cases.all.n = 0;
  choose_vars(a, PH_V_CONST);
  choose_vars(a, PH_V_VALUE);
  for (uint32_t i = 1; i < rule->nnodes; i++) {
    const ph_rulenode *n = &rule->nodes[i];
    if (n->kind == PH_R_ANY) choose(a, &a->nodes[i], a->types[n->type], false);
    if (!is_question(a, n, i)) continue;
    choose(a, &a->nodes[i],
           ph_function_gives(n->op, PH_GIVES_NUMBER) ? number : truth, false);
    a->assumed = true;
  }
}

static bool fits_integer(ph_exprtype t, const ph_rulenode *n) {
  int64_t i = (int64_t)n->bits;
  int64_t most = t.bits == 64 ? INT64_MAX : ((int64_t)1 << t.bits) - 1;
  if (t.bits == 64 || t.bits == 0) return true;
  return n->op == 0 && i <= most && i >= -((int64_t)1 << (t.bits - 1));
}

static bool fits_literal(ph_exprtype t, const ph_rulenode *n) {
  double d;
  if (n->var == PH_DATA_INT) return !t.isfloat && fits_integer(t, n);
  if (n->var == PH_DATA_BOOL) return t.bits <= 1;
  memcpy(&d, &n->bits, sizeof d);
  return t.isfloat && (t.bits == 64 || (double)(float)d == d);
}

bool ph_run_rule_fits(const ph_run_rule *a) {
  for (uint32_t i = 1; i < a->rule->nnodes; i++) {
    const ph_rulenode *n = &a->rule->nodes[i];
    if (n->kind == PH_R_LIT && !fits_literal(a->types[n->type], n))
      return false;
  }
  return ph_semantics_fits(a->rule, a->types);
}

/* True if a guard depends on more than types. */
static bool depends_on_values(const ph_run_rule *a, uint32_t node) {
  const ph_rulenode *n = &a->rule->nodes[node];
  if (n->kind == PH_R_TYPE) return false;
  if (n->kind != PH_R_EXPR && n->kind != PH_R_LIT) return true;
  if (n->kind == PH_R_EXPR && ph_function_isof(n->op, PH_OF_VALUE)) return true;
  PH_EACH_KID(a->rule, node, kid) {
    if (depends_on_values(a, kid)) return true;
  }
  return false;
}

/* }== Does it hold? ================================================== */

/* True if both are the same value, or label, at the pattern's root. */
static bool is_equal(ph_run_rule *a, int64_t x, int64_t y) {
  const ph_rulenode *root = &a->rule->nodes[a->rule->lhs];
  ph_exprtype t = a->types[root->type];
  if (root->op == PH_RET && root->first != 0)
    t = a->types[a->rule->nodes[root->first].type];
  if (x == y) return true;
  if (!t.isfloat || !ph_numfmt_isnan((uint64_t)x) ||
      !ph_numfmt_isnan((uint64_t)y))
    return false;
  a->nans = true;
  return true;
}

bool ph_run_rule_does(ph_run_rule *a, ph_semantics l, ph_semantics r) {
  bool may = a->how->traps == PH_TRAP_UNDEF;
  if (l.is == PH_MEANS_NOTHING || r.is == PH_MEANS_NOTHING) return true;
  if (l.is == PH_MEANS_ANYTHING || l.inner) return true;
  if (l.is == PH_MEANS_TRAP) return may || r.is == PH_MEANS_TRAP;
  return r.is == PH_MEANS_VALUE && is_equal(a, l.bits, r.bits);
}

bool ph_run_rule_excludes(ph_run_rule *a) {
  int64_t yes = 1;
  if (a->rule->guard == 0 || depends_on_values(a, a->rule->guard)) return false;
  return !ph_semantics_expr(&a->values, a->rule->guard, &yes) || yes == 0;
}

/* True if the guard is true.  It is evaluated first since it is mostly
** false. */
static bool is_guarded(ph_run_rule *a) {
  int64_t yes = 1;
  if (a->rule->guard == 0) return true;
  return ph_semantics_expr(&a->values, a->rule->guard, &yes) && yes != 0;
}

ph_finding ph_run_rule_run(ph_run_rule *a) {
  ph_finding found = {false, false, false, true, {0}, {0}};
  found.guarded = is_guarded(a);
  if (!found.guarded) return found;
  found.pattern = ph_semantics_tree(&a->values, a->rule->lhs);
  if (found.pattern.is == PH_MEANS_NOTHING || found.pattern.inner) return found;
  found.meant = true;
  found.result = ph_semantics_tree(&a->values, a->rule->rhs);
  found.applies = found.result.is != PH_MEANS_NOTHING;
  found.holds = ph_run_rule_does(a, found.pattern, found.result);
  return found;
}

/* }=================================================================== */
