/* compound.c: nodes for ops and functions with their operands.
**
** An operation whose operands are all constants becomes an expression, which is
** computed when the rule is applied.
*/
#include "core/rules/language/compound.h"

#include <string.h>

#include "core/rules/language/typeinfer.h"
#include "core/ir/op.h"
#include "core/rules/set/functions.h"

/*
** {== Nodes ==========================================================
*/

uint32_t ph_compound_make(ph_rule_draft *d, uint16_t op, uint32_t at) {
  uint32_t node = ph_rule_draft_make(d, PH_R_OP, at);
  ph_rule_draft_node(d, node)->op = op;
  return node;
}

static bool has_constants_only(const ph_rule_draft *d, uint32_t node) {
  for (uint32_t kid = ph_rule_draft_node(d, node)->first; kid != 0;
       kid = ph_rule_draft_node(d, kid)->next)
    if (!ph_rule_isconst(ph_rule_draft_node(d, kid))) return false;
  return true;
}

/* Completes a node, which has all its kids. */
uint32_t ph_compound_close(ph_rule_draft *d, uint32_t node) {
  ph_rulenode *n = ph_rule_draft_node(d, node);
  if (d->scan.failed) return 0;
  if (n->op >= PH_F_AND ||
      (ph_op_computes(n->op) && has_constants_only(d, node)))
    n->kind = PH_R_EXPR;
  else if (d->part == PH_IN_GUARD)
    ph_rule_lex_fail(&d->scan, n->at, "only constants can be computed here");
  if (d->part == PH_IN_GUARD)
    ph_typeinfer_guard(d, node);
  else
    ph_typeinfer_place(d, node);
  return node;
}

/* }== Operations ===================================================== */

bool ph_compound_isallowed(ph_op op) {
  return op >= PH_OPS || ph_op_rows[op].weight > 0;
}

void ph_compound_addkid(ph_rule_draft *d, ph_kids *k, uint32_t kid) {
  if (kid == 0) return;
  ph_rule_draft_link(d, k->node, k->last, kid);
  k->last = kid;
  k->n++;
}

void ph_compound_addlabel(ph_rule_draft *d, ph_kids *k, uint32_t kid) {
  if (kid == 0) return;
  if (k->last_label == 0)
    k->first_label = kid;
  else
    ph_rule_draft_node(d, k->last_label)->next = kid;
  k->last_label = kid;
  k->m++;
}

static void join(ph_rule_draft *d, ph_kids *k) {
  ph_rulenode *node = ph_rule_draft_node(d, k->node);
  if (k->last == 0)
    node->first = k->first_label;
  else
    ph_rule_draft_node(d, k->last)->next = k->first_label;
  node->nkids = (uint16_t)(k->n + k->m);
}

/* True if a label must come next. switch: value, default, then a key and a
** label for each case. */
bool ph_compound_wantslabel(const ph_rule_draft *d, uint16_t op,
                            const ph_kids *k) {
  if (op == PH_SWITCH) return k->n > 0 && k->m < k->n;
  if (op >= PH_F_AND || !ph_op_has(d->space, op, PH_TERMINATOR)) return false;
  if (ph_op_ntargets(d->space, op) == 0) return false;
  return (int)k->n >= ph_op_nargs(d->space, op);
}

static void check_count(ph_rule_draft *d, uint16_t op, const ph_kids *k,
                        uint32_t at) {
  if (op == PH_SWITCH && k->m != k->n)
    ph_rule_lex_fail(
        &d->scan, at,
        "'switch' has a value, a label, then a key and a label each");
  else if (op < PH_F_AND)
    ph_typeinfer_count(d, op, k->n, k->m, at);
}

uint32_t ph_compound_end(ph_rule_draft *d, ph_kids *k) {
  const ph_rulenode *n = ph_rule_draft_node(d, k->node);
  join(d, k);
  check_count(d, n->op, k, n->at);
  return ph_compound_close(d, k->node);
}

/* }== Conditions ===================================================== */

bool ph_compound_iscondition(const ph_rule_draft *d, uint32_t node) {
  const ph_rulenode *n = ph_rule_draft_node(d, node);
  if (n->kind == PH_R_CALL) return true;
  if (n->kind == PH_R_LIT) return n->var == PH_DATA_BOOL;
  if (n->kind == PH_R_CONST) return ph_rule_draft_isfixed(d, n->type, PH_I1);
  if (n->kind != PH_R_EXPR) return false;
  return ph_op_iscompare(n->op) || (n->op >= PH_F_AND && n->op <= PH_F_NOT) ||
         ph_function_gives(n->op, PH_GIVES_TRUTH);
}

/* }=================================================================== */
