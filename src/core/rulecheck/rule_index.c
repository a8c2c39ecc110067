/* rule_index.c: an index of patterns, so that not all pairs are compared.
**
** Each literal or op that a pattern asks for below its root is a feature of it,
** and so is each of its guard: a rule with a guard says nothing of one with
** another guard.  A pattern that is more general than a tree has only features
** that the tree has.  So each rule is filed under its rarest feature, and for a
** tree only those rules are looked at that are filed under one of its features,
** or have none.
*/
#include "core/rulecheck/rule_index.h"

#include "core/ir/op.h"

/*
** {== Features =======================================================
*/

static uint32_t stir(uint32_t h, uint32_t x) {
  h = (h ^ x) * UINT32_C(0x9e3779b1);
  return h ^ h >> 15;
}

/* Returns a hash of the node's feature, or 0 if it has none.  Ops that match
** each other's swapped operands have the same. */
static uint32_t feature_of(const ph_func *space, const ph_rulenode *n) {
  uint32_t h = stir(1, n->kind);
  if (n->kind == PH_R_OP) {
    ph_op swapped = ph_op_swapped(space, n->op);
    h = stir(h, swapped != PH_NONE && swapped < n->op ? swapped : n->op);
  } else if (n->kind == PH_R_LIT || n->kind == PH_R_MIN ||
             n->kind == PH_R_MAX) {
    h = stir(stir(stir(h, n->var), (uint32_t)n->bits),
             (uint32_t)(n->bits >> 32));
  } else {
    return 0;
  }
  return h | 1;
}

/* Adds the features below a node. */
static void add_features(const ph_func *space, ph_arena *a, const ph_rule *rule,
                         uint32_t node, ph_ids *features) {
  PH_EACH_KID(rule, node, kid) {
    uint32_t feature = feature_of(space, &rule->nodes[kid]);
    if (feature != 0) ph_ids_push(features, a, feature);
    if (rule->nodes[kid].kind == PH_R_OP)
      add_features(space, a, rule, kid, features);
  }
}

static bool is_told_apart(const ph_rulenode *n) {
  return n->kind == PH_R_EXPR || n->kind == PH_R_CALL || n->kind == PH_R_LIT;
}

/* Adds the features of a guard; the same variables and types can have other
** numbers in another rule. */
static void add_guard(ph_arena *a, const ph_rule *rule, uint32_t node,
                      ph_ids *features) {
  const ph_rulenode *n = &rule->nodes[node];
  uint32_t h = stir(stir(2, n->kind), n->op);
  if (n->kind != PH_R_EXPR) h = stir(h, n->var);
  h = stir(stir(h, (uint32_t)n->bits), (uint32_t)(n->bits >> 32));
  if (is_told_apart(n)) ph_ids_push(features, a, h | 1);
  PH_EACH_KID(rule, node, kid) add_guard(a, rule, kid, features);
}

/* Adds the features of a rule. */
static void add_all(const ph_func *space, ph_arena *a, const ph_rule *rule,
                    ph_ids *features) {
  add_features(space, a, rule, rule->lhs, features);
  if (rule->guard != 0) add_guard(a, rule, rule->guard, features);
}

/* }== The table ====================================================== */

/* Returns the entry, or the free one where it belongs. */
static ph_filed *entry_of(const ph_rule_index *x, uint32_t root,
                          uint32_t feature) {
  uint32_t i = stir(stir(7, root), feature) & (x->cap - 1);
  while (x->at[i].count != 0 &&
         (x->at[i].root != root || x->at[i].feature != feature))
    i = (i + 1) & (x->cap - 1);
  return &x->at[i];
}

static void grow(ph_rule_index *x, ph_arena *a) {
  const ph_filed *old = x->at;
  uint32_t n = x->cap;
  x->cap = n == 0 ? 256 : 2 * n;
  x->at = ph_arena_zero(a, x->cap * sizeof *x->at);
  for (uint32_t i = 0; i < n; i++)
    if (old[i].count != 0) *entry_of(x, old[i].root, old[i].feature) = old[i];
}

static void count(ph_rule_index *x, ph_arena *a, uint32_t root,
                  uint32_t feature) {
  ph_filed *e;
  if (2 * x->used >= x->cap) grow(x, a);
  e = entry_of(x, root, feature);
  x->used += e->count == 0;
  e->root = root;
  e->feature = feature;
  e->count++;
}

static void count_rule(ph_rule_index *x, ph_arena *a, const ph_rule *rule) {
  ph_ids features = {NULL, 0, 0};
  add_all(&x->set->space, a, rule, &features);
  count(x, a, rule->root, 0);
  for (uint32_t i = 0; i < features.n; i++)
    count(x, a, rule->root, features.at[i]);
}

static void file_rule(ph_rule_index *x, ph_arena *a, uint32_t n) {
  const ph_rule *rule = x->set->rules.at[n];
  ph_filed *rarest = entry_of(x, rule->root, 0);
  ph_ids features = {NULL, 0, 0};
  add_all(&x->set->space, a, rule, &features);
  for (uint32_t i = 0; i < features.n; i++) {
    ph_filed *e = entry_of(x, rule->root, features.at[i]);
    if (i == 0 || e->count < rarest->count) rarest = e;
  }
  if (rarest->first == 0)
    rarest->first = n;
  else
    x->next[rarest->last] = n;
  rarest->last = n;
}

void ph_rule_index_make(ph_rule_index *x, ph_arena *a, const ph_ruleset *set) {
  *x = (ph_rule_index){set, NULL, 0, 0, NULL};
  x->next = ph_arena_zero(a, set->rules.n * sizeof *x->next);
  grow(x, a);
  for (uint32_t n = 1; n < set->rules.n; n++)
    if (ph_ruleset_ison(set, n)) count_rule(x, a, set->rules.at[n]);
  for (uint32_t n = 1; n < set->rules.n; n++)
    if (ph_ruleset_ison(set, n)) file_rule(x, a, n);
}

/* }== Look-up ======================================================== */

void ph_rule_index_find(const ph_rule_index *x, ph_arena *a, ph_op root,
                        const ph_rule *rule, uint32_t node, ph_ids *heads) {
  ph_ids features = {NULL, 0, 0};
  heads->n = 0;
  ph_ids_push(&features, a, 0);
  if (node == rule->lhs)
    add_all(&x->set->space, a, rule, &features);
  else
    add_features(&x->set->space, a, rule, node, &features);
  ph_vec_sortids(&features);
  for (uint32_t i = 0; i < features.n; i++) {
    const ph_filed *e = entry_of(x, root, features.at[i]);
    if ((i == 0 || features.at[i] != features.at[i - 1]) && e->first != 0)
      ph_ids_push(heads, a, e->first);
  }
}

uint32_t ph_rule_index_next(const ph_rule_index *x, ph_ids *heads) {
  uint32_t *least = NULL, n;
  for (uint32_t i = 0; i < heads->n; i++)
    if (heads->at[i] != 0 && (least == NULL || heads->at[i] < *least))
      least = &heads->at[i];
  if (least == NULL) return 0;
  n = *least;
  *least = x->next[n];
  return n;
}

/* }=================================================================== */
