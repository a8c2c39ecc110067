/* semantics.c: the semantics of a rule's trees for given values.
**
** Ops are evaluated by opeval.c, so that what is checked about a rule is true
** of what runs.  Two things differ between languages, and a rule can be checked
** under each policy: the result of a shift by the width or more, and (check.c)
** what a trap allows.
**
** A rule has at most about a thousand nodes and nests no deeper than its text,
** so the evaluation is recursive.
*/
#include "core/rulecheck/semantics.h"

#include "core/ir/op.h"
#include "core/ir/opeval.h"

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

static uint64_t without_sign(ph_exprtype t, int64_t i) {
  return (uint64_t)i & (~(uint64_t)0 >> (64 - t.bits));
}

static int64_t with_sign(ph_exprtype t, uint64_t bits) {
  uint64_t sign = (uint64_t)1 << (t.bits - 1);
  if (t.isfloat) return (int64_t)bits;
  return (int64_t)((without_sign(t, (int64_t)bits) ^ sign) - sign);
}

static ph_semantics shift_by_much(ph_op op, ph_exprtype type, int64_t value) {
  if (op != PH_SAR) return value_of(0);
  return value_of(with_sign(type, (uint64_t)value) < 0 ? -1 : 0);
}

ph_semantics ph_semantics_op(ph_op op, ph_shift_policy shifts, ph_exprtype type,
                             const ph_exprtype *types, const int64_t *args,
                             uint32_t n) {
  const ph_exprtype of = n > 0 ? types[op == PH_SELECT] : type;
  const ph_number from = {of.bits, of.isfloat}, to = {type.bits, type.isfloat};
  uint64_t bits[3] = {0, 0, 0}, r;
  for (uint32_t i = 0; i < n && i < 3; i++) bits[i] = (uint64_t)args[i];
  if (op == PH_COPY) return value_of(args[0]);
  if (ph_op_isshift(op) && without_sign(type, args[1]) >= type.bits) {
    if (shifts == PH_SHIFT_UNDEF) return means(PH_MEANS_ANYTHING);
    if (shifts == PH_SHIFT_ZERO) return shift_by_much(op, type, args[0]);
  }
  switch (ph_opeval_bits(op, from, to, bits, &r)) {
    case PH_OPEVAL_DONE:
      return value_of(with_sign(type, r));
    case PH_OPEVAL_TRAPS:
      return means(PH_MEANS_TRAP);
    default:
      return means(PH_MEANS_NOTHING);
  }
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

static ph_semantics end(const ph_rule *rule, uint32_t node, const int64_t *args,
                        uint32_t n) {
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

static bool ask(const ph_bindings *b, uint32_t node, int64_t *answer) {
  const ph_assignment *a = b->ud;
  if (a->rule->nodes[node].kind == PH_R_CALL && a->ask != NULL)
    return a->ask(a->ud, node, answer);
  *answer = a->nodes[node];
  return true;
}

bool ph_semantics_expr(const ph_assignment *a, uint32_t node, int64_t *value) {
  const ph_bindings b = {a->rule, a->vars, a->types, ask, (void *)a};
  return ph_constexpr_eval(&b, node, value);
}

/* Evaluates the operands; the first that is not a value decides. */
static ph_semantics operands(const ph_assignment *a, uint32_t node,
                             int64_t *args, ph_exprtype *types, uint32_t *n) {
  ph_semantics all = value_of(0);
  PH_EACH_KID(a->rule, node, kid) {
    ph_semantics m;
    if (a->rule->nodes[kid].kind == PH_R_LABEL) break;
    m = ph_semantics_tree(a, kid);
    args[*n] = m.bits;
    types[(*n)++] = a->types[a->rule->nodes[kid].type];
    if (m.is > all.is) all = m;
  }
  all.inner = all.is == PH_MEANS_TRAP;
  return all;
}

static ph_semantics of_dialect(const ph_assignment *a, const ph_rulenode *n,
                               const ph_exprtype *types, const int64_t *args,
                               uint32_t count) {
  int64_t value;
  if (!a->eval(a->ud, n->op, types, args, count, &value))
    return means(PH_MEANS_TRAP);
  return value_of(with_sign(a->types[n->type], (uint64_t)value));
}

static ph_semantics operation(const ph_assignment *a, uint32_t node) {
  const ph_rulenode *n = &a->rule->nodes[node];
  int64_t args[PH_SEMANTICS_MOST];
  ph_exprtype types[PH_SEMANTICS_MOST];
  uint32_t count = 0;
  ph_semantics m = operands(a, node, args, types, &count);
  if (m.is != PH_MEANS_VALUE) return m;
  if (n->op >= PH_OPS) return of_dialect(a, n, types, args, count);
  if (ph_op_rows[n->op].flags & PH_TERMINATOR)
    return end(a->rule, node, args, count);
  return ph_semantics_op(n->op, a->shifts, a->types[n->type], types, args,
                         count);
}

ph_semantics ph_semantics_tree(const ph_assignment *a, uint32_t node) {
  const ph_rulenode *n = &a->rule->nodes[node];
  int64_t value;
  switch (n->kind) {
    case PH_R_VAR:
      return value_of(a->vars[n->var]);
    case PH_R_ANY:
      return value_of(a->nodes[node]);
    case PH_R_ONLY:
      return ph_semantics_tree(a, n->first);
    case PH_R_OP:
      return operation(a, node);
    default:
      if (!ph_semantics_expr(a, node, &value)) return means(PH_MEANS_NOTHING);
      return value_of(value);
  }
}

/* }== What is known ================================================== */

static bool cast_fits(ph_op op, ph_exprtype from, ph_exprtype to) {
  switch (ph_op_classof(op)) {
    case PH_CLASS_NARROW:
      return to.bits < from.bits;
    case PH_CLASS_WIDEN:
      return to.bits > from.bits;
    case PH_CLASS_BITCAST:
      return to.bits == from.bits;
    default:
      return true;
  }
}

bool ph_semantics_fits(const ph_rule *rule, const ph_exprtype *types) {
  for (uint32_t i = 1; i < rule->nnodes; i++) {
    const ph_rulenode *n = &rule->nodes[i];
    if (n->kind != PH_R_OP && n->kind != PH_R_EXPR) continue;
    if (!ph_op_iscast(n->op)) continue;
    if (!cast_fits(n->op, types[rule->nodes[n->first].type], types[n->type]))
      return false;
  }
  return true;
}

/* }=================================================================== */
