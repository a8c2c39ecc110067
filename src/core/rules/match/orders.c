/* orders.c: the orders of operands in which a pattern matches.
**
** Rules match commutative ops and compares in both orders without being written
** twice.  An order of a pattern tells for each of them whether its operands are
** exchanged; a compare is then another op.  A constant is always on the right,
** where instructions have it; orders that only rename two equivalent variables
** are left out.
**
** Each order is compiled to a pattern of its own, which is fast and doubles the
** patterns with each such node.  So a pattern with many of them leaves the
** order of the inner ones open: these are tried both ways while matching.
*/
#include "core/rules/match/orders.h"

#include "core/ir/op.h"

static const ph_rulenode *rulenode(const ph_orders *o, uint32_t node) {
  return &o->rule->nodes[node];
}

/* Counts the occurrences of a variable in the rule. */
static uint32_t count_var(const ph_orders *o, uint32_t var) {
  uint32_t n = 0;
  for (uint32_t i = 1; i < o->rule->nnodes; i++) {
    const ph_rulenode *node = rulenode(o, i);
    n += (node->kind == PH_R_VAR || node->kind == PH_R_CONST ||
          node->kind == PH_R_OP) &&
         node->var == var;
  }
  return n;
}

/* True if nothing distinguishes this operand from another one like it. */
static bool is_indifferent(const ph_orders *o, const ph_rulenode *n) {
  return n->kind == PH_R_ANY ||
         (n->kind == PH_R_VAR && count_var(o, n->var) == 1);
}

static bool is_both_ways(const ph_orders *o, uint32_t node) {
  const ph_rulenode *n = rulenode(o, node), *a, *b;
  if (n->kind != PH_R_OP || n->nkids != 2) return false;
  if (ph_op_swapped(o->space, n->op) == PH_NONE) return false;
  a = rulenode(o, n->first);
  b = rulenode(o, a->next);
  if (ph_rule_isconst(b) && !ph_rule_isconst(a)) return false;
  if (ph_op_swapped(o->space, n->op) != n->op) return true; /* x > x, too */
  if (a->kind == PH_R_VAR && b->kind == PH_R_VAR && a->var == b->var)
    return false;
  return !(is_indifferent(o, a) && is_indifferent(o, b));
}

/* True if a constant is on the left only. */
static bool is_turned(const ph_orders *o, uint32_t node) {
  const ph_rulenode *a = rulenode(o, rulenode(o, node)->first);
  return ph_rule_isconst(a) && !ph_rule_isconst(rulenode(o, a->next));
}

/* All orders are compiled of a pattern with few such nodes; otherwise those of
** the outermost, whose own operands are at hand. */
enum { FEW = 4, OUTER = 3 };

void ph_orders_find(ph_orders *o, ph_arena *a, const ph_ruleset *set,
                    const ph_rule *rule) {
  ph_ids todo = {NULL, 0, 0}, nodes = {NULL, 0, 0};
  memset(o, 0, sizeof *o);
  o->space = &set->space;
  o->rule = rule;
  ph_ids_push(&todo, a, rule->lhs);
  for (uint32_t i = 0; i < todo.n; i++) {
    uint32_t node = todo.at[i];
    if (rulenode(o, node)->kind != PH_R_OP) continue;
    if (is_both_ways(o, node))
      ph_ids_push(is_turned(o, node) ? &o->turned : &nodes, a, node);
    PH_EACH_KID(rule, node, kid) ph_ids_push(&todo, a, kid);
  }
  uint32_t compiled = nodes.n <= FEW ? FEW : OUTER;
  for (uint32_t i = 0; i < nodes.n; i++)
    if (i < compiled)
      ph_ids_push(&o->both, a, nodes.at[i]);
    else if (i < PH_ORDERS_MOST)
      ph_ids_push(&o->open, a, nodes.at[i]);
    else
      o->left++;
}

bool ph_orders_isopen(const ph_orders *o, uint32_t node) {
  return ph_ids_has(&o->open, node);
}

static bool is_swapped(const ph_orders *o, uint32_t node) {
  for (uint32_t i = 0; i < o->both.n; i++)
    if (o->both.at[i] == node) return (o->bits >> i & 1) != 0;
  return ph_ids_has(&o->turned, node);
}

ph_op ph_orders_op(const ph_orders *o, uint32_t node) {
  ph_op op = rulenode(o, node)->op;
  return is_swapped(o, node) ? ph_op_swapped(o->space, op) : op;
}

uint32_t ph_orders_kid(const ph_orders *o, uint32_t node, uint32_t i) {
  uint32_t kid = rulenode(o, node)->first;
  if (is_swapped(o, node)) i = 1 - i;
  while (i-- > 0) kid = rulenode(o, kid)->next;
  return kid;
}
