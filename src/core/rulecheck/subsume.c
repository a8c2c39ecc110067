/* subsume.c: whether a pattern is more general than another.
**
** It is if the other one, taken as a tree, matches it.  Both orders of
** commutative operands are tried; that is 2^n for n of them one below the
** other, and patterns are small.
*/
#include "core/rulecheck/subsume.h"

#include <string.h>

#include "core/ir/op.h"

/*
** {== Subsumption ====================================================
*/

void ph_subsume_start(ph_subsume *c, const ph_func *space, ph_arena *arena,
                      const ph_rule *a, const ph_rule *b) {
  c->space = space;
  c->a = a;
  c->b = b;
  c->vars = ph_arena_zero(arena, a->nvars * sizeof *c->vars);
  c->types = ph_arena_zero(arena, a->ntypes * sizeof *c->types);
}

/* Returns the operation that a node names, or the node. */
static uint32_t named_by(const ph_rule *b, uint32_t node) {
  const ph_rulenode *n = &b->nodes[node];
  uint32_t of = n->kind == PH_R_VAR ? b->vars[n->var].node : 0;
  return of != 0 ? of : node;
}

/* True if both trees of b are the same. */
static bool is_same_tree(const ph_rule *b, uint32_t x, uint32_t y) {
  const ph_rulenode *n = &b->nodes[x = named_by(b, x)];
  const ph_rulenode *m = &b->nodes[y = named_by(b, y)];
  uint32_t k = n->first, l = m->first;
  if (x == y && n->kind == PH_R_OP) return true;
  if (n->kind == PH_R_ANY || n->kind == PH_R_TYPE) return false;
  if (n->kind != m->kind || n->nkids != m->nkids) return false;
  if (n->op != m->op || n->var != m->var) return false;
  if (n->kind == PH_R_OP && (n->bits != 0 || m->bits != 0)) {
    if (n->bits == 0 || m->bits == 0 ||
        !is_same_tree(b, (uint32_t)n->bits, (uint32_t)m->bits))
      return false;
  } else if (n->bits != m->bits) {
    return false;
  }
  for (; k != 0; k = b->nodes[k].next, l = b->nodes[l].next)
    if (!is_same_tree(b, k, l)) return false;
  return true;
}

static bool takes_type(ph_subsume *c, uint32_t a, uint32_t b) {
  const ph_ruletype *s = &c->a->types[a], *t = &c->b->types[b];
  if ((a == 0) != (b == 0)) return false;
  if (a == 0) return true;
  if (c->types[a] == 0) c->types[a] = b;
  if (c->types[a] != b && t->fixed == PH_NOTYPE) return false;
  if (c->types[a] != b && c->b->types[c->types[a]].fixed != t->fixed)
    return false;
  if (s->fixed != PH_NOTYPE) return s->fixed == t->fixed;
  if (t->fixed >= PH_TYPES || t->dialects) return s->dialects;
  return (t->mask & ~s->mask) == 0;
}

static bool bind_var(ph_subsume *c, uint32_t var, uint32_t node) {
  if (c->vars[var] == 0) c->vars[var] = node;
  return c->vars[var] == node || is_same_tree(c->b, c->vars[var], node);
}

static bool matches_tree(ph_subsume *c, uint32_t x, uint32_t y);

static bool match_kids(ph_subsume *c, uint32_t x, uint32_t y, bool swapped) {
  uint32_t k = c->a->nodes[x].first, l = c->b->nodes[y].first;
  if (swapped)
    return matches_tree(c, k, c->b->nodes[l].next) &&
           matches_tree(c, c->a->nodes[k].next, l);
  for (; k != 0; k = c->a->nodes[k].next, l = c->b->nodes[l].next)
    if (!matches_tree(c, k, l)) return false;
  return true;
}

/* True if m has the op of n, or the one with swapped operands. */
static bool is_op(const ph_subsume *c, const ph_rulenode *n,
                  const ph_rulenode *m, bool swapped) {
  if (!swapped) return n->op == m->op;
  if (n->nkids != 2) return false;
  return n->op == m->op ? ph_op_has(c->space, n->op, PH_COMMUTATIVE)
                        : ph_op_swapped(c->space, n->op) == m->op;
}

enum { SEVERAL = 32 }; /* the most variables, types that are restored */

/* The same for data; 0: none. */
static bool takes_data(ph_subsume *c, uint32_t x, uint32_t y) {
  const ph_rulenode *n = &c->a->nodes[x], *m = &c->b->nodes[y];
  if (x == 0 || y == 0) return x == y;
  if (n->kind == PH_R_DATA) return bind_var(c, n->var, y);
  return m->kind == n->kind && m->bits == n->bits && m->var == n->var;
}

static bool match_op(ph_subsume *c, uint32_t x, uint32_t y) {
  const ph_rulenode *n = &c->a->nodes[x], *m = &c->b->nodes[y];
  uint32_t vars[SEVERAL], types[SEVERAL];
  uint32_t nvars = c->a->nvars, ntypes = c->a->ntypes;
  bool both = nvars <= SEVERAL && ntypes <= SEVERAL;
  if (m->kind != PH_R_OP || n->nkids != m->nkids || n->once) return false;
  if (n->var != 0 && !bind_var(c, n->var, y)) return false;
  if (!takes_data(c, (uint32_t)n->bits, (uint32_t)m->bits)) return false;
  if (both) memcpy(vars, c->vars, nvars * sizeof *vars);
  if (both) memcpy(types, c->types, ntypes * sizeof *types);
  if (is_op(c, n, m, false) && match_kids(c, x, y, false)) return true;
  if (!both || !is_op(c, n, m, true)) return false;
  memcpy(c->vars, vars, nvars * sizeof *vars);
  memcpy(c->types, types, ntypes * sizeof *types);
  return match_kids(c, x, y, true);
}

static bool matches_tree(ph_subsume *c, uint32_t x, uint32_t y) {
  const ph_rulenode *n = &c->a->nodes[x], *m = &c->b->nodes[y];
  if (!takes_type(c, n->type, m->type)) return false;
  switch (n->kind) {
    case PH_R_VAR:
      return m->kind != PH_R_LABEL && bind_var(c, n->var, y);
    case PH_R_ANY:
      return true;
    case PH_R_CONST:
      return ph_rule_isconst(m) && bind_var(c, n->var, y);
    case PH_R_LABEL:
      return m->kind == PH_R_LABEL && bind_var(c, n->var, y);
    case PH_R_LIT:
    case PH_R_MIN:
    case PH_R_MAX:
      return m->kind == n->kind && m->bits == n->bits && m->var == n->var;
    case PH_R_OP:
      return match_op(c, x, y);
    default:
      return false;
  }
}

bool ph_subsume_matches(ph_subsume *c, uint32_t of) {
  return matches_tree(c, c->a->lhs, of);
}

static bool has_same_kids(const ph_subsume *c, uint32_t x, uint32_t y,
                          bool swapped) {
  uint32_t k = c->a->nodes[x].first, l = c->b->nodes[y].first;
  if (swapped)
    return ph_subsume_same(c, k, c->b->nodes[l].next) &&
           ph_subsume_same(c, c->a->nodes[k].next, l);
  for (; k != 0; k = c->a->nodes[k].next, l = c->b->nodes[l].next)
    if (!ph_subsume_same(c, k, l)) return false;
  return true;
}

/* True if type x of a is type y of b. */
static bool same_type(const ph_subsume *c, uint32_t x, uint32_t y) {
  ph_type fixed = c->a->types[x].fixed;
  if (c->types[x] != 0) return c->types[x] == y;
  return fixed != PH_NOTYPE && fixed == c->b->types[y].fixed;
}

/* True if the nodes are the same apart from their kids. */
static bool has_same_head(const ph_subsume *c, const ph_rulenode *n,
                          const ph_rulenode *m, bool swapped) {
  if (n->kind != m->kind || n->nkids != m->nkids) return false;
  if (n->kind == PH_R_OP)
    return is_op(c, n, m, swapped) &&
           ph_subsume_same(c, (uint32_t)n->bits, (uint32_t)m->bits);
  if (n->bits != m->bits) return false;
  if (swapped || n->op != m->op) return false;
  if (n->kind == PH_R_TYPE) return same_type(c, n->type, m->type);
  return n->kind == PH_R_EXPR || n->var == m->var;
}

static bool is_variable(const ph_rulenode *n) {
  return n->kind == PH_R_VAR || n->kind == PH_R_CONST ||
         n->kind == PH_R_LABEL || n->kind == PH_R_DATA;
}

bool ph_subsume_same(const ph_subsume *c, uint32_t of_a, uint32_t of_b) {
  const ph_rulenode *n = &c->a->nodes[of_a], *m = &c->b->nodes[of_b];
  if (of_a == 0 || of_b == 0) return of_a == of_b;
  if (is_variable(n))
    return c->vars[n->var] != 0 && is_same_tree(c->b, c->vars[n->var], of_b);
  for (int swapped = 1; swapped >= 0; swapped--)
    if (has_same_head(c, n, m, swapped) &&
        has_same_kids(c, of_a, of_b, swapped))
      return true;
  return false;
}

/* }== Features of patterns =========================================== */

/* An index of patterns, so that not all pairs are compared.
**
** Each literal or op that a pattern asks for below its root is a feature of it,
** and so is each of its guard: a rule with a guard says nothing of one with
** another guard.  A pattern that is more general than a tree has only features
** that the tree has.  So each rule is filed under its rarest feature, and for a
** tree only those rules are looked at that are filed under one of its features,
** or have none. */

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

/* Adds the features of a guard; the same variables and types can have other
** numbers in another rule. */
static void add_guard(ph_arena *a, const ph_rule *rule, uint32_t node,
                      ph_ids *features) {
  const ph_rulenode *n = &rule->nodes[node];
  uint32_t h = stir(stir(2, n->kind), n->op);
  if (n->kind != PH_R_EXPR) h = stir(h, n->var);
  h = stir(stir(h, (uint32_t)n->bits), (uint32_t)(n->bits >> 32));
  if (n->kind == PH_R_EXPR || n->kind == PH_R_CALL || n->kind == PH_R_LIT)
    ph_ids_push(features, a, h | 1);
  PH_EACH_KID(rule, node, kid) add_guard(a, rule, kid, features);
}

/* Adds the features of a rule. */
static void add_rule_features(const ph_func *space, ph_arena *a,
                              const ph_rule *rule, ph_ids *features) {
  add_features(space, a, rule, rule->lhs, features);
  if (rule->guard != 0) add_guard(a, rule, rule->guard, features);
}

/* }== The index ====================================================== */

/* Returns the entry, or the free one where it belongs. */
static ph_filed *entry_of(const ph_rule_index *x, uint32_t root,
                          uint32_t feature) {
  uint32_t i = stir(stir(7, root), feature) & (x->cap - 1);
  while (x->at[i].count != 0 &&
         (x->at[i].root != root || x->at[i].feature != feature))
    i = (i + 1) & (x->cap - 1);
  return &x->at[i];
}

static void grow_table(ph_rule_index *x, ph_arena *a) {
  const ph_filed *old = x->at;
  uint32_t n = x->cap;
  x->cap = n == 0 ? 256 : 2 * n;
  x->at = ph_arena_zero(a, x->cap * sizeof *x->at);
  for (uint32_t i = 0; i < n; i++)
    if (old[i].count != 0) *entry_of(x, old[i].root, old[i].feature) = old[i];
}

static void count_feature(ph_rule_index *x, ph_arena *a, uint32_t root,
                          uint32_t feature) {
  ph_filed *e;
  if (2 * x->used >= x->cap) grow_table(x, a);
  e = entry_of(x, root, feature);
  x->used += e->count == 0;
  e->root = root;
  e->feature = feature;
  e->count++;
}

static void file_rule(ph_rule_index *x, ph_arena *a, uint32_t n) {
  const ph_rule *rule = x->set->rules.at[n];
  ph_filed *rarest = entry_of(x, rule->root, 0);
  ph_ids features = {NULL, 0, 0};
  add_rule_features(&x->set->space, a, rule, &features);
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
  grow_table(x, a);
  for (uint32_t n = 1; n < set->rules.n; n++)
    if (ph_ruleset_ison(set, n)) {
      ph_ids features = {NULL, 0, 0};
      add_rule_features(&x->set->space, a, set->rules.at[n], &features);
      count_feature(x, a, set->rules.at[n]->root, 0);
      for (uint32_t i = 0; i < features.n; i++)
        count_feature(x, a, set->rules.at[n]->root, features.at[i]);
    }
  for (uint32_t n = 1; n < set->rules.n; n++)
    if (ph_ruleset_ison(set, n)) file_rule(x, a, n);
}

void ph_rule_index_find(const ph_rule_index *x, ph_arena *a, ph_op root,
                        const ph_rule *rule, uint32_t node, ph_ids *heads) {
  ph_ids features = {NULL, 0, 0};
  heads->n = 0;
  ph_ids_push(&features, a, 0);
  if (node == rule->lhs)
    add_rule_features(&x->set->space, a, rule, &features);
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
