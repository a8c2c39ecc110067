/* validate.c: what a rule must satisfy, as far as its text shows.
**
** It terminates: each op has a weight, and a rule that reduces the weight of a
** tree and repeats none of its values can be applied to a tree only as often as
** it weighs, whatever the order in which rules are applied.  (The weights are
** such that usual results are lighter: a shift than a product, a strict
** comparison than a non-strict one.)
**
** It uses nothing out of reach: the operands of a phi are known in its
** predecessors only.  It does not repeat effects.  And its result is known: its
** values are bound, its types follow from the pattern.
*/
#include "core/rules/language/validate.h"

#include <string.h>

#include "core/ir/op.h"

/*
** {== Walks ==========================================================
*/

/* Traverses the tree of `root` in preorder; 0: the end.  Links lead to kids and
** siblings only, so a stack leads back. */
typedef struct {
  const ph_rule_draft *d;
  ph_ids stack;
} walk;

static void start(walk *w, const ph_rule_draft *d, uint32_t root) {
  w->d = d;
  w->stack = (ph_ids){NULL, 0, 0};
  if (root != 0) ph_ids_push(&w->stack, d->arena, root);
}

static uint32_t step(walk *w) {
  uint32_t node;
  if (w->stack.n == 0) return 0;
  node = w->stack.at[--w->stack.n];
  for (uint32_t kid = ph_rule_draft_node(w->d, node)->first; kid != 0;
       kid = ph_rule_draft_node(w->d, kid)->next)
    ph_ids_push(&w->stack, w->d->arena, kid);
  return node;
}

/* }== Roots ========================================================== */

static bool is_terminator(const ph_rule_draft *d, uint32_t node) {
  const ph_rulenode *n = ph_rule_draft_node(d, node);
  return n->kind == PH_R_OP && ph_op_has(d->space, n->op, PH_TERMINATOR);
}

static void check_pattern_root(ph_rule_draft *d) {
  const ph_rulenode *n = ph_rule_draft_node(d, d->rule.lhs);
  if (n->kind == PH_R_EXPR)
    ph_rule_lex_fail(&d->scan, n->at, "constants are computed without a rule");
  else if (n->kind != PH_R_OP)
    ph_rule_lex_fail(&d->scan, n->at, "a pattern starts with an operation");
  else if (n->once)
    ph_rule_lex_fail(&d->scan, n->at, "the whole pattern has no uses yet");
}

static void check_inner(ph_rule_draft *d, uint32_t root) {
  walk w;
  uint32_t node;
  start(&w, d, root);
  while ((node = step(&w)) != 0)
    if (node != root && is_terminator(d, node))
      ph_rule_lex_fail(&d->scan, ph_rule_draft_node(d, node)->at,
                       "'$' ends a block: it cannot be an operand",
                       ph_op_name(d->space, ph_rule_draft_node(d, node)->op));
}

static void check_roots(ph_rule_draft *d) {
  const ph_rulenode *l = ph_rule_draft_node(d, d->rule.lhs);
  const ph_rulenode *r = ph_rule_draft_node(d, d->rule.rhs);
  bool ends = is_terminator(d, d->rule.lhs);
  if (ends != is_terminator(d, d->rule.rhs)) {
    ph_rule_lex_fail(
        &d->scan, r->at,
        ends ? "the result must end a block, as the pattern does"
             : "the pattern does not end a block: the result cannot either");
  } else if (r->kind == PH_R_CALL) {
    ph_rule_draft_node(d, d->rule.rhs)->type = l->type;
  } else if (l->type != 0 && r->type != 0) {
    ph_rule_draft_unify(d, l->type, r->type, r->at);
  } else if (l->type != r->type) {
    ph_rule_lex_fail(&d->scan, r->at,
                     l->type != 0
                         ? "the result has no value, the pattern has one"
                         : "the pattern has no value, the result has one");
  }
}

/* }== Variables and types ============================================ */

/* Finds the variables that the pattern binds: those outside expressions. */
static bool *find_bound(ph_rule_draft *d) {
  bool *bound = ph_arena_zero(d->arena, d->vars.n * sizeof *bound);
  ph_ids stack = {NULL, 0, 0};
  ph_ids_push(&stack, d->arena, d->rule.lhs);
  while (stack.n > 0) {
    const ph_rulenode *n = ph_rule_draft_node(d, stack.at[--stack.n]);
    if (n->kind == PH_R_VAR || n->kind == PH_R_CONST || n->kind == PH_R_LABEL)
      bound[n->var] = true;
    if (n->kind == PH_R_EXPR) continue;
    for (uint32_t kid = n->first; kid != 0;
         kid = ph_rule_draft_node(d, kid)->next)
      ph_ids_push(&stack, d->arena, kid);
  }
  return bound;
}

static void check_bound(ph_rule_draft *d) {
  const bool *bound = find_bound(d);
  walk w;
  uint32_t node;
  start(&w, d, d->rule.lhs);
  while ((node = step(&w)) != 0) {
    const ph_rulenode *n = ph_rule_draft_node(d, node);
    if (n->kind == PH_R_CONST && !bound[n->var])
      ph_rule_lex_fail(&d->scan, n->at,
                       "'$' occurs only in expressions: nothing binds it",
                       d->vars.at[n->var].name);
  }
}

/* Finds the types that the pattern determines, or that are fixed. */
static bool *find_told(ph_rule_draft *d) {
  bool *told = ph_arena_zero(d->arena, d->types.n * sizeof *told);
  walk w;
  uint32_t node;
  start(&w, d, d->rule.lhs);
  while ((node = step(&w)) != 0)
    if (ph_rule_draft_node(d, node)->kind != PH_R_EXPR)
      told[ph_rule_draft_find(d, ph_rule_draft_node(d, node)->type)] = true;
  for (uint32_t i = 0; i < d->types.n; i++)
    if (d->types.at[i].is.fixed != PH_NOTYPE) told[i] = true;
  told[0] = true;
  return told;
}

static void check_told(ph_rule_draft *d) {
  const bool *told = find_told(d);
  for (uint32_t node = 1; node < d->nodes.n; node++) {
    const ph_rulenode *n = ph_rule_draft_node(d, node);
    if (!told[ph_rule_draft_find(d, n->type)])
      ph_rule_lex_fail(
          &d->scan, n->at,
          n->kind == PH_R_OP || n->kind == PH_R_EXPR
              ? "the type of this is not known: write it after it, "
                "f(x):i32"
              : "the type of this is not known: write it after it, "
                "0:i32");
  }
}

static ph_type fixed_type(const ph_rule_draft *d, const ph_rulenode *n) {
  return d->types.at[ph_rule_draft_find(d, n->type)].is.fixed;
}

/* Checks casts between types that are fixed by now. */
static void check_casts(ph_rule_draft *d) {
  for (uint32_t node = 1; node < d->nodes.n; node++) {
    const ph_rulenode *n = ph_rule_draft_node(d, node);
    ph_type from, to;
    if (n->kind != PH_R_OP || !ph_op_iscast(n->op)) continue;
    to = fixed_type(d, n);
    from = fixed_type(d, ph_rule_draft_node(d, n->first));
    if (from == PH_NOTYPE || to == PH_NOTYPE) continue;
    if (ph_opcheck_types(d->space, n->op, &from, 1, &to).kind != PH_FITS)
      ph_rule_lex_fail(&d->scan, n->at, "'$' cannot convert $ to $",
                       ph_op_name(d->space, n->op),
                       ph_type_name(d->space, from),
                       ph_type_name(d->space, to));
  }
}

/* }== Effects and phis =============================================== */

/* Of terminators, none that matters: they replace each other only. */
static ph_effect effect_of(const ph_rule_draft *d, const ph_rulenode *n) {
  if (n->kind != PH_R_OP || ph_op_has(d->space, n->op, PH_TERMINATOR))
    return PH_EFFECT_NONE;
  return ph_op_effectof(d->space, n->op);
}

/* All ops with an effect are of dialects. */
static void refuse_effect(ph_rule_draft *d, uint32_t at, const ph_rulenode *n,
                          const char *format) {
  const char *effect = ph_effect_name(effect_of(d, n));
  ph_rule_lex_fail(&d->scan, at, format, ph_op_dialect(d->space, n->op),
                   ph_op_name(d->space, n->op),
                   (ph_str){effect, strlen(effect)});
}

/* Refuses effects below `root`, and that of the root unless it may have one:
** the leftmost one. */
static void check_places(ph_rule_draft *d, uint32_t root, bool root_may,
                         const char *format) {
  const ph_rulenode *first = NULL;
  walk w;
  uint32_t node;
  start(&w, d, root);
  while ((node = step(&w)) != 0) {
    const ph_rulenode *n = ph_rule_draft_node(d, node);
    if ((node == root && root_may) || effect_of(d, n) == PH_EFFECT_NONE)
      continue;
    if (first == NULL || n->at < first->at) first = n;
  }
  if (first != NULL) refuse_effect(d, first->at, first, format);
}

/* A rule must neither move nor repeat what an instruction does: an op with an
** effect is a root only, in place of one with the same.  What does not write
** can go. */
static void check_effects(ph_rule_draft *d) {
  const ph_rulenode *from = ph_rule_draft_node(d, d->rule.lhs);
  const ph_rulenode *to = ph_rule_draft_node(d, d->rule.rhs);
  bool same = effect_of(d, from) == effect_of(d, to);
  check_places(d, d->rule.lhs, true,
               "'$.$' has the effect \"$\": in a pattern it can be the root "
               "only");
  check_places(
      d, d->rule.rhs, same,
      "'$.$' has the effect \"$\": in a result it can be the root only, "
      "for a pattern with that effect");
  if (!same && effect_of(d, from) == PH_EFFECT_WRITE)
    refuse_effect(d, to->at, from,
                  "'$.$' has the effect \"$\": the result must have it, too");
}

static void check_below(ph_rule_draft *d, uint32_t phi, const bool *needed) {
  walk w;
  uint32_t node;
  start(&w, d, phi);
  while ((node = step(&w)) != 0) {
    const ph_rulenode *n = ph_rule_draft_node(d, node);
    if (n->kind == PH_R_VAR && needed[n->var])
      ph_rule_lex_fail(
          &d->scan, n->at,
          "'$' is an operand of a phi: it is known in a predecessor, "
          "not where the result is made",
          d->vars.at[n->var].name);
  }
}

static void check_phis(ph_rule_draft *d) {
  bool *needed = ph_arena_zero(d->arena, d->vars.n * sizeof *needed);
  walk w;
  uint32_t node;
  start(&w, d, d->rule.rhs);
  while ((node = step(&w)) != 0)
    if (ph_rule_draft_node(d, node)->kind == PH_R_VAR)
      needed[ph_rule_draft_node(d, node)->var] = true;
  for (node = 1; node < d->nodes.n; node++) {
    const ph_rulenode *n = ph_rule_draft_node(d, node);
    if (n->kind != PH_R_OP || n->op != PH_PHI) continue;
    check_below(d, node, needed);
    ph_rule_lex_fail(&d->scan, n->at,
                     "rules do not look into a phi: isphi(x) asks for one");
  }
}

/* }== Weights ======================================================== */

static uint32_t weight_of_op(const ph_func *space, ph_op op) {
  if (op >= PH_OPS) {
    uint32_t cost = ph_op_spec(space, op)->cost;
    return cost != 0 ? cost : 3;
  }
  return ph_op_rows[op].weight;
}

static uint32_t own_weight(const ph_func *space, const ph_rulenode *n) {
  switch (n->kind) {
    case PH_R_OP:
      return weight_of_op(space, n->op);
    case PH_R_VAR:
    case PH_R_ANY:
      return 1;
    default:
      return 0;
  }
}

/* Returns the weight of a tree; counts the occurrences of its values. */
static uint32_t weigh(const ph_func *space, const ph_rulenode *nodes,
                      uint32_t node, uint32_t *counts) {
  const ph_rulenode *n = &nodes[node];
  uint32_t weight = own_weight(space, n);
  if (n->kind == PH_R_VAR) counts[n->var]++;
  for (uint32_t kid = n->first; kid != 0; kid = nodes[kid].next)
    weight += weigh(space, nodes, kid, counts);
  return weight;
}

ph_weights ph_validate_weigh(const ph_func *space, ph_arena *a,
                             const ph_rule *rule, const ph_rulenode *nodes,
                             uint32_t nvars) {
  uint32_t *before = ph_arena_zero(a, nvars * sizeof *before);
  uint32_t *after = ph_arena_zero(a, nvars * sizeof *after);
  ph_weights w = {0, 0, 0};
  w.pattern = weigh(space, nodes, rule->lhs, before);
  w.result = weigh(space, nodes, rule->rhs, after);
  for (uint32_t i = nvars; i-- > 1;)
    if (after[i] > before[i]) w.more = i;
  return w;
}

static void check_weights(ph_rule_draft *d) {
  ph_weights w =
      ph_validate_weigh(d->space, d->arena, &d->rule, d->nodes.at, d->vars.n);
  if (d->rule.flags & PH_RULE_UNORIENTED) return;
  if (ph_rule_draft_node(d, d->rule.rhs)->kind == PH_R_CALL) return;
  if (w.more != 0)
    ph_rule_lex_fail(&d->scan, d->arrow,
                     "this rule might be applied forever: its result has '$' "
                     "more often than its pattern; '@ unoriented' allows it",
                     d->vars.at[w.more].name);
  if (w.result >= w.pattern)
    ph_rule_lex_fail(&d->scan, d->arrow,
                     "this rule might be applied forever: its result weighs #, "
                     "its pattern #; '@ unoriented' allows it",
                     w.result, w.pattern);
}

void ph_validate_rule(ph_rule_draft *d) {
  check_pattern_root(d);
  if (d->scan.failed) return;
  check_inner(d, d->rule.lhs);
  check_inner(d, d->rule.rhs);
  check_phis(d);
  check_roots(d);
  check_bound(d);
  check_told(d);
  check_casts(d);
  check_effects(d);
  if (!d->scan.failed) check_weights(d);
}

/* }=================================================================== */
