/* rule_draft.c: a rule while it is read: its nodes, variables and types.
**
** Each position of a rule has a set of possible types.  Positions that must
** have the same type share one set (union-find): the sets are intersected, and
** if the intersection is empty, there is an error at that position.  So
** inference needs no passes: every op, literal and annotation narrows the sets
** as it is read.
*/
#include "core/rules/language/rule_draft.h"

#include <string.h>

#include "core/ir/op.h"

/*
** {== Nodes and variables ============================================
*/

void ph_rule_draft_start(ph_rule_draft *d) {
  const ph_rulenode node = {0};
  const ph_rulevar var = {{"", 0}, 0, 0};
  const ph_drafttype type = {{0, false, 0}, 0, {"", 0}};
  memset(&d->rule, 0, sizeof d->rule);
  d->nodes.n = d->vars.n = d->types.n = 0;
  ph_rulenodes_push(&d->nodes, d->arena, node);
  ph_rulevars_push(&d->vars, d->arena, var);
  ph_drafttypes_push(&d->types, d->arena, type);
  d->part = PH_IN_PATTERN;
  d->depth = 0;
}

enum { LONGEST = 1000 };

uint32_t ph_rule_draft_make(ph_rule_draft *d, ph_nodekind kind, uint32_t at) {
  ph_rulenode node = {0};
  if (d->nodes.n == LONGEST)
    ph_rule_lex_fail(&d->scan, at, "this rule is too long");
  node.kind = (uint8_t)kind;
  node.at = at;
  ph_rulenodes_push(&d->nodes, d->arena, node);
  return d->nodes.n - 1;
}

void ph_rule_draft_link(ph_rule_draft *d, uint32_t node, uint32_t last,
                        uint32_t kid) {
  if (last == 0)
    ph_rule_draft_node(d, node)->first = kid;
  else
    ph_rule_draft_node(d, last)->next = kid;
  ph_rule_draft_node(d, node)->nkids++;
}

uint32_t ph_rule_draft_var(const ph_rule_draft *d, ph_str name) {
  for (uint32_t i = 1; i < d->vars.n; i++)
    if (d->vars.at[i].name.n == name.n &&
        memcmp(d->vars.at[i].name.at, name.at, name.n) == 0)
      return i;
  return 0;
}

/* }== Types ========================================================== */

uint32_t ph_rule_draft_type(ph_rule_draft *d, uint16_t mask, bool dialects) {
  const ph_drafttype type = {{PH_NOTYPE, dialects, mask}, 0, {"", 0}};
  ph_drafttypes_push(&d->types, d->arena, type);
  return d->types.n - 1;
}

uint32_t ph_rule_draft_fixed(ph_rule_draft *d, ph_type type) {
  uint32_t id = ph_rule_draft_type(d, 0, false);
  d->types.at[id].is.fixed = type;
  if (type < PH_TYPES) d->types.at[id].is.mask = (uint16_t)(1 << type);
  return id;
}

uint32_t ph_rule_draft_find(const ph_rule_draft *d, uint32_t type) {
  while (d->types.at[type].same != 0) type = d->types.at[type].same;
  return type;
}

bool ph_rule_draft_isfixed(const ph_rule_draft *d, uint32_t type, ph_type to) {
  return d->types.at[ph_rule_draft_find(d, type)].is.fixed == to;
}

/* Returns the only type of phial in the mask; PH_NOTYPE: there are several. */
static ph_type only_one(uint16_t mask) {
  for (ph_type t = PH_I1; t < PH_TYPES; t++)
    if (mask == 1 << t) return t;
  return PH_NOTYPE;
}

/* Intersects a and b; false: the intersection is empty. */
static bool meet(const ph_ruletype *a, const ph_ruletype *b, ph_ruletype *r) {
  ph_type foreign = a->fixed >= PH_TYPES ? a->fixed : b->fixed;
  *r = (ph_ruletype){PH_NOTYPE, a->dialects && b->dialects,
                     (uint16_t)(a->mask & b->mask)};
  if (foreign >= PH_TYPES) {
    r->fixed = foreign;
    return (a->fixed == foreign || a->dialects) &&
           (b->fixed == foreign || b->dialects);
  }
  if (!r->dialects) r->fixed = only_one(r->mask);
  return r->dialects || r->mask != 0;
}

/* A set of types in words; a dialect's type has three parts. */
typedef struct {
  ph_str first, dot, last;
} words;

static words describe(const ph_rule_draft *d, const ph_ruletype *t) {
  words w = {{"", 0}, {"", 0}, {"", 0}};
  const char *s = "another type";
  uint16_t mask = t->mask & (PH_M_INT | PH_M_FLOAT);
  if (t->fixed != PH_NOTYPE) {
    w.first = ph_type_dialect(d->space, t->fixed);
    if (w.first.n > 0) w.dot = (ph_str){".", 1};
    w.last = ph_type_name(d->space, t->fixed);
    return w;
  }
  if ((mask & PH_M_INT) == mask) s = "an integer that does not fit";
  if ((mask & PH_M_FLOAT) == mask) s = "a float that does not fit";
  if (mask == PH_M_INT) s = "an integer";
  if (mask == PH_M_FLOAT) s = "a float";
  if (mask == (PH_M_INT | PH_M_FLOAT)) s = "any type";
  w.first = (ph_str){s, strlen(s)};
  return w;
}

static void mismatch(ph_rule_draft *d, const ph_ruletype *want,
                     const ph_ruletype *is, uint32_t at) {
  words a = describe(d, want), b = describe(d, is);
  ph_rule_lex_fail(&d->scan, at, "$$$ expected here, this is $$$", a.first,
                   a.dot, a.last, b.first, b.dot, b.last);
}

void ph_rule_draft_unify(ph_rule_draft *d, uint32_t want, uint32_t is,
                         uint32_t at) {
  ph_ruletype both;
  want = ph_rule_draft_find(d, want);
  is = ph_rule_draft_find(d, is);
  if (want == is) return;
  if (!meet(&d->types.at[want].is, &d->types.at[is].is, &both)) {
    mismatch(d, &d->types.at[want].is, &d->types.at[is].is, at);
    return;
  }
  d->types.at[want].is = both;
  d->types.at[is].same = want;
}

/* }== The whole rule ================================================= */

static void *kept(ph_rule_draft *d, const void *p, size_t n) {
  return memcpy(ph_arena_alloc(d->arena, n), p, n);
}

/* Numbers the sets of types that remain; numbers: by type its new number. */
static const ph_ruletype *pack_types(ph_rule_draft *d, uint32_t *numbers) {
  ph_ruletype *types = ph_arena_zero(d->arena, d->types.n * sizeof *types);
  uint32_t n = 1;
  for (uint32_t i = 1; i < d->types.n; i++)
    if (d->types.at[i].same == 0) {
      types[n] = d->types.at[i].is;
      numbers[i] = n++;
    }
  for (uint32_t i = 1; i < d->types.n; i++)
    numbers[i] = numbers[ph_rule_draft_find(d, i)];
  d->rule.ntypes = n;
  return types;
}

const ph_rule *ph_rule_draft_rule(ph_rule_draft *d) {
  ph_rule *rule = &d->rule;
  uint32_t *numbers = ph_arena_zero(d->arena, d->types.n * sizeof *numbers);
  rule->types = pack_types(d, numbers);
  for (uint32_t i = 1; i < d->nodes.n; i++) {
    ph_rulenode *node = &d->nodes.at[i];
    node->type = (uint16_t)numbers[node->type];
    node->at -= d->start;
  }
  for (uint32_t i = 1; i < d->vars.n; i++)
    d->vars.at[i].type = (uint16_t)numbers[d->vars.at[i].type];
  rule->nnodes = d->nodes.n;
  rule->nvars = d->vars.n;
  rule->nodes = kept(d, d->nodes.at, d->nodes.n * sizeof *rule->nodes);
  rule->vars = kept(d, d->vars.at, d->vars.n * sizeof *rule->vars);
  rule->root = d->nodes.at[rule->lhs].op;
  return kept(d, rule, sizeof *rule);
}

/* }=================================================================== */
