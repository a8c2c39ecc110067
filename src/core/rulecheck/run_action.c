/* run_action.c: rules whose result a callback makes.
**
** The callback is run to see what it makes: in a function of its own, with this
** rule only, the pattern is emitted, with parameters for the values and
** constants for the constants.  What that function then contains is evaluated
** with many values.
*/
#include "core/rulecheck/run_action.h"

#include <string.h>

#include "phial/construct.h"
#include "phial/peephole.h"
#include "core/ir/const.h"
#include "core/ir/op.h"
#include "core/rules/match/match.h"

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

/*
** {== A function with the pattern ====================================
*/

static ph_type type_of(const ph_run_rule *a, uint32_t type) {
  ph_exprtype t = a->types[type];
  if (a->rule->types[type].fixed == PH_PTR) return PH_PTR;
  for (ph_type i = PH_I1; i < PH_ANY; i++)
    if (ph_type_width(i) == t.bits && ph_type_isfloat(i) == t.isfloat) return i;
  return PH_NOTYPE;
}

static uint32_t constant(const ph_run_rule *a, uint32_t type, int64_t value) {
  ph_type t = type_of(a, type);
  ph_data data = {(uint64_t)value, PH_DATA_FLOAT};
  if (ph_type_isfloat(t)) return ph_const_of(a->acted->f, t, data);
  return ph_const_int(a->acted->f, t, ph_const_normal(t, value)).id;
}

static uint32_t emit(ph_run_rule *a, uint32_t node);

static uint32_t emit_op(ph_run_rule *a, uint32_t node) {
  const ph_rulenode *n = &a->rule->nodes[node];
  ph_func *f = a->acted->f;
  ph_value args[3];
  uint32_t count = 0;
  PH_EACH_KID(a->rule, node, kid) {
    if (count == 3 || (args[count++].id = emit(a, kid)) == 0) return 0;
  }
  return ph_build_emit(f, ph_block_entry(f), n->op, type_of(a, n->type), args,
                       count)
      .id;
}

/* Emits a node of the pattern; 0: the callback failed, or it has no value. */
static uint32_t emit(ph_run_rule *a, uint32_t node) {
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
      if (!ph_semantics_expr(&a->values, node, &value)) return 0;
      return constant(a, n->type, value);
  }
}

static void make_params(ph_run_rule *a) {
  const ph_rule *rule = a->rule;
  ph_acted *acted = a->acted;
  const ph_str any = {"_", 1};
  for (uint32_t i = 1; i < rule->nvars; i++)
    if (rule->vars[i].kind == PH_V_VALUE)
      acted->vars[i] = ph_value_newparam(acted->f, rule->vars[i].name,
                                         type_of(a, rule->vars[i].type))
                           .id;
  for (uint32_t i = 1; i < rule->nnodes; i++)
    if (rule->nodes[i].kind == PH_R_ANY)
      acted->nodes[i] =
          ph_value_newparam(acted->f, any, type_of(a, rule->nodes[i].type)).id;
}

static void make_acted(ph_run_rule *a) {
  const ph_rule *rule = a->rule;
  ph_acted *acted = ph_arena_zero(a->arena, sizeof *acted);
  acted->vars = ph_arena_zero(a->arena, rule->nvars * sizeof(uint32_t));
  acted->nodes = ph_arena_zero(a->arena, rule->nnodes * sizeof(uint32_t));
  a->acted = acted;
}

bool ph_run_action_start(ph_run_rule *a) {
  ph_func *f = a->how->open(a->how->ud, a->number);
  a->failed = f == NULL;
  if (a->failed) return false;
  if (a->acted == NULL) make_acted(a);
  a->acted->f = f;
  make_params(a);
  a->acted->made = emit(a, a->rule->lhs);
  a->failed = f->matcher->failed;
  a->acted->called = ph_peephole_napplied(f) > 0;
  if (ph_match_hits(f, 1) == 0) a->acted->made = 0;
  return !a->failed;
}

/* }== What it computes =============================================== */

static ph_exprtype exprtype(ph_type type) {
  return (ph_exprtype){(uint8_t)ph_type_width(type), ph_type_isfloat(type)};
}

static ph_semantics meaning_of(const ph_run_rule *a, uint32_t v,
                               const ph_semantics *all) {
  const ph_func *f = a->acted->f;
  const ph_node *n = ph_node_of(f, v);
  ph_semantics m = {PH_MEANS_VALUE, 0, false};
  if (n->op != PH_CONST) return all[v];
  m.bits = (int64_t)f->datas.at[n->aux].bits;
  if (n->type == PH_I1) m.bits = -m.bits;
  return m;
}

static ph_semantics compute(const ph_run_rule *a, uint32_t v,
                            const ph_semantics *all) {
  const ph_func *f = a->acted->f;
  const ph_node *n = ph_node_of(f, v);
  ph_exprtype types[3];
  int64_t args[3];
  ph_semantics m = {PH_MEANS_NOTHING, 0, false};
  if (!ph_op_computes(n->op) && n->op != PH_COPY) return m;
  for (uint32_t i = 0; i < n->nargs; i++) {
    uint32_t arg = ph_body_operand(f, v, i);
    m = meaning_of(a, arg, all);
    if (m.is != PH_MEANS_VALUE) return m;
    types[i] = exprtype(ph_node_of(f, arg)->type);
    args[i] = m.bits;
  }
  return ph_semantics_op(n->op, a->how->shifts, exprtype(n->type), types, args,
                         n->nargs);
}

static void set_params(const ph_run_rule *a, ph_semantics *all) {
  for (uint32_t i = 1; i < a->rule->nvars; i++)
    all[a->acted->vars[i]].bits = a->vars[i];
  for (uint32_t i = 1; i < a->rule->nnodes; i++)
    all[a->acted->nodes[i]].bits = a->nodes[i];
}

/* Evaluates everything that was made, even what the result does not need: it
** may trap. */
static ph_semantics result(const ph_run_rule *a) {
  const ph_func *f = a->acted->f;
  size_t size = f->nodes.n * sizeof(ph_semantics);
  ph_semantics *all = ph_arena_zero(a->arena, size);
  ph_semantics r = {PH_MEANS_VALUE, 0, false};
  set_params(a, all);
  PH_EACH_INST(f, ph_block_entry(f).id, v) {
    all[v] = compute(a, v, all);
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
  found.pattern = ph_semantics_tree(&a->values, a->rule->lhs);
  found.meant = found.pattern.is != PH_MEANS_NOTHING && !found.pattern.inner;
  if (a->acted->made == 0 || found.pattern.is == PH_MEANS_NOTHING) return found;
  found.result = result(a);
  if (found.result.is == PH_MEANS_NOTHING) a->beyond = true;
  found.applies = !found.pattern.inner && !a->beyond;
  found.holds = ph_run_rule_does(a, found.pattern, found.result);
  return found;
}

/* }=================================================================== */
