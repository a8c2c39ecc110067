/* rule_table.c: tables of the rules of a set, compiled on demand.
**
** A root op is compiled when the first instruction of it is emitted.  A change
** of a set invalidates the tables of the changed roots only, and a set that has
** exactly the rules of its base for a root shares the base's table.  So sets
** over the default one are cheap, and adding a rule costs one table.
**
** A table has memory of its own.  It belongs to the set's list of old tables
** until it is complete: what an allocator that jumps out leaves there is freed
** with the next one.
*/
#include "core/rules/match/rule_table.h"

#include <stdlib.h>

#include "phial/rules.h"
#include "core/ir/op.h"
#include "core/ir/value.h"
#include "core/rules/set/constexpr.h"

/*
** {== Life ===========================================================
*/

static void free_tables(ph_ruletable **list) {
  while (*list != NULL) {
    ph_ruletable *t = *list;
    ph_arena arena = t->arena; /* t is inside it */
    *list = t->next;
    ph_arena_done(&arena);
  }
}

static void forget_compiled(ph_ruleset *set) {
  ph_compiled *c = set->compiled;
  free_tables(&c->kept);
  free_tables(&c->old);
  ph_arena_done(&c->scratch);
  ph_arena_done(&c->arena);
}

static ph_compiled *compiled_of(ph_ruleset *set) {
  ph_compiled *c = set->compiled;
  if (c != NULL) return c;
  c = ph_arena_zero(&set->space.arena, sizeof *c);
  ph_arena_init(&c->arena, &set->space.mem);
  ph_arena_init(&c->scratch, &set->space.mem);
  c->changes = set->changes;
  set->forget = forget_compiled;
  return set->compiled = c;
}

/* Makes a table in memory of its own, in the list of old ones. */
static ph_ruletable *new_table(ph_ruleset *set, ph_compiled *c) {
  ph_arena arena;
  ph_ruletable *t;
  ph_arena_init(&arena, &set->space.mem);
  t = ph_arena_zero(&arena, sizeof *t);
  t->arena = arena;
  t->next = c->old;
  c->old = t;
  return t;
}

static void unlink_table(ph_ruletable **list, const ph_ruletable *t) {
  while (*list != t) list = &(*list)->next;
  *list = t->next;
}

/* }== What is up to date ============================================= */

static uint32_t swapped_version(const ph_ruleset *set, ph_op root) {
  ph_op swapped = ph_op_swapped(&set->space, root);
  return swapped == PH_NONE ? 0 : ph_ruleset_version(set, swapped);
}

static bool is_current(const ph_ruleset *set, const ph_ruletable *t) {
  return t->version == ph_ruleset_version(set, t->root) &&
         t->swapped == swapped_version(set, t->root);
}

static uint32_t count_ops(const ph_ruleset *set) {
  const ph_dialects *all = &set->space.dialects;
  const ph_attached *last;
  if (all->n == 0) return PH_KNOWN_OPS;
  last = &all->at[all->n - 1];
  return (uint32_t)last->op + last->dialect->nops;
}

/* True if the set has exactly its base's rules for this root.  The
** base does not know the ops of dialects that only the set has. */
static bool is_inherited(const ph_ruleset *set, ph_op root) {
  const ph_ruleset *base = set->base;
  return base != NULL && root < count_ops(base) &&
         ph_ruleset_version(set, root) == ph_ruleset_version(base, root) &&
         swapped_version(set, root) == swapped_version(base, root);
}

/* Moves tables that are out of date to the old ones. */
static void retire_outdated(ph_ruleset *set, ph_compiled *c) {
  for (uint32_t op = 0; op < c->at.n; op++) {
    ph_ruletable *t = c->at.at[op];
    if (t == NULL || is_current(set, t)) continue;
    c->at.at[op] = NULL;
    for (ph_ruletable *own = c->kept; own != NULL; own = own->next)
      if (own == t) {
        unlink_table(&c->kept, t);
        t->next = c->old;
        c->old = t;
        break;
      }
  }
  c->changes = set->changes;
}

/* }== In which order ================================================= */

static int order_of(uint32_t a, uint32_t b) { return (a > b) - (a < b); }

/* Compares by rank, then by how specific they are, then by definition. */
static int by_precedence(const void *p, const void *q) {
  const ph_pattern *a = p, *b = q;
  if (a->rule->prio != b->rule->prio)
    return a->rule->prio > b->rule->prio ? -1 : 1;
  if (a->tier != b->tier) return order_of(a->tier, b->tier);
  if (a->ops != b->ops) return order_of(b->ops, a->ops);
  if (a->literals != b->literals) return order_of(b->literals, a->literals);
  if (a->equalities != b->equalities)
    return order_of(b->equalities, a->equalities);
  if (a->number != b->number) return order_of(a->number, b->number);
  return order_of(a->order, b->order);
}

void ph_rule_table_sort(ph_patternlist *l) {
  if (l->patterns.n > 0)
    qsort(l->patterns.at, l->patterns.n, sizeof *l->patterns.at, by_precedence);
}

/* }== Compiling ====================================================== */

static void add_patterns(ph_patternlist *l, const ph_ruleset *set, ph_op from,
                         ph_op root) {
  uint32_t n = ph_ruleset_first(set, from);
  for (; n != 0; n = set->next.at[n])
    if (ph_ruleset_ison(set, n)) ph_pattern_add(l, set, n, root);
}

/* Returns how selective a test of a tag is: one op or constant more than any
** constant.  A candidate cannot test for one of several constants. */
static int selectivity(const ph_test *t) {
  uint32_t bits = t->arg & PH_WANT_ALLCONSTS;
  if (t->kind != PH_TEST_WANT || t->slot >= PH_SLOTS) return 0;
  if (t->arg < PH_TAG_CONST || (bits & (bits - 1)) == 0) return 2;
  return bits == PH_WANT_ALLCONSTS ? 1 : 0;
}

static bool is_near_same(const ph_test *t) {
  return t->kind == PH_TEST_SAME && t->slot < PH_SLOTS && t->arg < PH_SLOTS;
}

/* Moves test i to the end of those that are tried first. */
static void try_first(ph_patternlist *l, ph_pattern *p, uint32_t i) {
  ph_test t = l->tests.at[i];
  for (; i > p->tried; i--) l->tests.at[i] = l->tests.at[i - 1];
  l->tests.at[p->tried++] = t;
}

/* Chooses, among the tests of operands of operands, whose tags are at hand, the
** most selective tag and one pair of equal values to be tried first. */
static void choose_first(ph_patternlist *l, ph_pattern *p) {
  uint32_t want = p->end, same = p->end;
  for (uint32_t i = p->end; i-- > p->decided;)
    if (selectivity(&l->tests.at[i]) > 0 &&
        (want == p->end ||
         selectivity(&l->tests.at[i]) >= selectivity(&l->tests.at[want])))
      want = i;
  p->tried = p->decided;
  if (want < p->end) try_first(l, p, want);
  for (uint32_t i = p->end; i-- > p->tried;)
    if (is_near_same(&l->tests.at[i])) same = i;
  if (same < p->end) try_first(l, p, same);
}

static ph_candidate candidate(const ph_patternlist *l, uint32_t pattern) {
  const ph_pattern *p = &l->patterns.at[pattern];
  ph_candidate c = {.deep = p->ops > 0, .pattern = pattern};
  for (uint32_t i = p->decided; i < p->tried; i++) {
    const ph_test *t = &l->tests.at[i];
    uint32_t bits = t->arg & PH_WANT_ALLCONSTS;
    if (t->kind == PH_TEST_SAME) {
      c.same = (uint8_t)t->slot;
      c.as = (uint8_t)t->arg;
      continue;
    }
    c.slot = (uint8_t)t->slot;
    c.tag = t->arg < PH_TAG_CONST ? t->arg : (uint32_t)PH_TAG_CONST;
    c.mask = selectivity(t) == 1 ? (uint32_t)PH_TAG_CONST : UINT32_MAX;
    for (; selectivity(t) == 2 && t->arg >= PH_TAG_CONST && bits > 1;
         bits >>= 1)
      c.tag++;
  }
  return c;
}

/* Returns the number of list `at` in t->divisions, or 0. */
static uint32_t number_division(ph_ruletable *t, ph_arena *scratch,
                                uint32_t at) {
  const uint32_t *list = t->dispatch.lists.at + at;
  ph_division d;
  if (!ph_divide(&d, &t->arena, scratch, &t->list, list + 1, *list)) return 0;
  ph_divisions_push(&t->divisions, &t->arena, d);
  return t->divisions.n;
}

static void make_candidates(ph_ruletable *t, ph_arena *scratch) {
  const ph_ids *lists = &t->dispatch.lists;
  ph_candidates_reserve(&t->candidates, &t->arena, lists->n);
  for (uint32_t i = 0; i < lists->n;) {
    const ph_candidate head = {.pattern = number_division(t, scratch, i)};
    uint32_t n = lists->at[i];
    ph_candidates_push(&t->candidates, &t->arena, head);
    while (n-- > 0) {
      ph_candidate c = candidate(&t->list, lists->at[t->candidates.n]);
      ph_candidates_push(&t->candidates, &t->arena, c);
      t->candidates.at[i].deep |= c.deep;
    }
    i = t->candidates.n;
  }
}

/* The ops that the table must tell apart: those after the last one that a
** pattern asks for are treated alike. */
static uint32_t count_asked(const ph_wanteds *wanted) {
  uint32_t n = PH_KNOWN_OPS;
  for (uint32_t i = 0; i < wanted->n; i++)
    for (uint32_t k = 0; k < 2; k++) {
      ph_want want = wanted->at[i].want[k];
      if (want < PH_TAG_CONST && want >= n) n = want + 1;
    }
  return n;
}

static void compile_rules(ph_ruleset *set, ph_compiled *c, ph_ruletable *t) {
  ph_op swapped = ph_op_swapped(&set->space, t->root);
  ph_wanteds wanted = {NULL, 0, 0};
  ph_patternlist *l = &t->list;
  l->arena = &t->arena;
  l->scratch = &c->scratch;
  add_patterns(l, set, t->root, t->root);
  if (swapped != PH_NONE && swapped != t->root)
    add_patterns(l, set, swapped, t->root);
  ph_rule_table_sort(l);
  t->slots = PH_SLOTS;
  for (uint32_t i = 0; i < l->patterns.n; i++) {
    choose_first(l, &l->patterns.at[i]);
    ph_wanteds_push(&wanted, &c->scratch, l->patterns.at[i].wanted);
    if (l->patterns.at[i].slots > t->slots) t->slots = l->patterns.at[i].slots;
    if (l->patterns.at[i].levels > t->levels)
      t->levels = l->patterns.at[i].levels;
  }
  ph_classes_make(&t->dispatch, &t->arena, &c->scratch, &wanted,
                  count_asked(&wanted));
  make_candidates(t, &c->scratch);
}

static const ph_ruletable *make_table(ph_ruleset *set, ph_compiled *c,
                                      ph_op root) {
  ph_ruletable *t;
  if (c->running == 0) free_tables(&c->old);
  ph_arena_done(&c->scratch);
  t = new_table(set, c);
  t->root = root;
  t->version = ph_ruleset_version(set, root);
  t->swapped = swapped_version(set, root);
  compile_rules(set, c, t);
  ph_arena_done(&c->scratch);
  unlink_table(&c->old, t);
  t->next = c->kept;
  c->kept = t;
  return t;
}

const ph_ruletable *ph_rule_table_root(ph_ruleset *set, ph_op root) {
  static ph_ruletable *const none = NULL;
  ph_compiled *c = compiled_of(set);
  const ph_ruletable *t;
  if (c->changes != set->changes) retire_outdated(set, c);
  while (c->at.n <= root) ph_ruletables_push(&c->at, &c->arena, none);
  t = c->at.at[root];
  if (t == NULL)
    t = is_inherited(set, root) ? ph_rule_table_table(set->base, root)
                                : make_table(set, c, root);
  c->at.at[root] = (ph_ruletable *)t;
  return t;
}

void ph_ruleset_freeze(ph_ruleset *set) {
  if (ph_ptr(set)->base != NULL) ph_ruleset_freeze(set->base);
  for (uint32_t op = PH_NONE + 1; op < count_ops(set); op++)
    ph_rule_table_table(set, (ph_op)op);
  if (!set->frozen) set->frozen = true; /* another thread may be reading it */
}

/* }=================================================================== */
