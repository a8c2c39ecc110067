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
** {== Lists divided by constants ======================================
*/

/* Rules of one shape that differ in constants, such as those of a table of magic
** numbers, are all in the same cell of the class table.  Where a list has many
** of them, a hash table maps the constant in a slot to the patterns that ask for
** it.  A literal is another constant at another width, so a pattern is entered
** under each that it can be; its own test decides.  `C == 7` in a guard counts
** as such a literal. */

/* Lists with fewer different constants are short enough. */
enum { LEAST = 8 };

typedef struct {
  ph_literal_list *d; /* being made */
  ph_arena *arena, *scratch;
  const ph_patternlist *l;
  const uint32_t *list;
  uint32_t n;
  ph_literal_entries all; /* by slot, bits, position */
  bool *taken;            /* by position: it belongs to a table */
  ph_ids members;
} divider;

static void add_entry(divider *m, uint32_t slot, uint32_t position,
                      uint64_t bits) {
  const ph_literal_entry e = {bits, slot, position};
  for (uint32_t i = m->all.n; i-- > 0;) {
    const ph_literal_entry *old = &m->all.at[i];
    if (old->position != position || old->slot != slot) break;
    if (old->bits == bits) return;
  }
  ph_literal_entries_push(&m->all, m->scratch, e);
}

static bool is_possible(const ph_ruletype *t, ph_type type) {
  if (t->fixed != PH_NOTYPE) return t->fixed == type;
  return (t->mask >> type & 1) != 0;
}

/* Adds the constants that the literal `node` stands for. */
static void add_literal(divider *m, uint32_t position, uint32_t slot,
                        const ph_rule *rule, uint32_t node) {
  const ph_rulenode *n = &rule->nodes[node];
  if (n->kind != PH_R_LIT) return;
  add_entry(m, slot, position, n->bits);
  for (ph_type t = PH_I1; t < PH_TYPES; t++)
    if (ph_type_isint(t) && is_possible(&rule->types[n->type], t))
      add_entry(m, slot, position,
                (uint64_t)ph_const_normal(t, (int64_t)n->bits));
}

static int by_slot_and_bits(const void *p, const void *q) {
  const ph_literal_entry *a = p, *b = q;
  if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
  if (a->bits != b->bits) return a->bits < b->bits ? -1 : 1;
  return (a->position > b->position) - (a->position < b->position);
}

static bool is_literal(const ph_test *t) {
  return t->kind == PH_TEST_LITERAL && t->slot < PH_SLOTS;
}

/* Returns the literal that a constant at hand must equal for the guard at `node`
** to be true, and stores the slot of the constant; 0: nothing is known.  What
** follows a function of the host is not looked at, since that is called first. */
static uint32_t find_equality(const divider *m, const ph_pattern *p,
                              uint32_t node, uint32_t *slot) {
  const ph_rulenode *nodes = p->rule->nodes, *n = &nodes[node], *a, *b;
  uint32_t literal = 0;
  if (n->kind != PH_R_EXPR) return 0;
  a = &nodes[n->first];
  if (n->op == PH_F_AND) {
    literal = find_equality(m, p, n->first, slot);
    if (literal != 0 || a->kind == PH_R_CALL) return literal;
    return find_equality(m, p, a->next, slot);
  }
  if (n->op != PH_EQ) return 0;
  b = &nodes[a->next];
  if (a->kind != PH_R_CONST || b->kind != PH_R_LIT || b->type != 0) return 0;
  *slot = m->l->notes.at[p->vars + a->var];
  return *slot < PH_SLOTS ? a->next : 0;
}

/* A guard compares signed integers: the i1 that is 1 is -1. */
static void add_equality(divider *m, uint32_t position, const ph_pattern *p) {
  uint32_t slot, literal = find_equality(m, p, p->rule->guard, &slot);
  uint64_t bits;
  if (literal == 0) return;
  bits = p->rule->nodes[literal].bits;
  add_entry(m, slot, position, bits);
  if (bits == UINT64_MAX) add_entry(m, slot, position, 1);
}

static void collect_literals(divider *m) {
  for (uint32_t i = 0; i < m->n; i++) {
    const ph_pattern *p = &m->l->patterns.at[m->list[i]];
    for (uint32_t k = p->decided; k < p->end && p->literals > 0; k++) {
      const ph_test *t = &m->l->tests.at[k];
      if (is_literal(t)) add_literal(m, i + 1, t->slot, p->rule, t->arg);
    }
    if (p->rule->guard != 0) add_equality(m, i + 1, p);
  }
  qsort(m->all.at, m->all.n, sizeof(ph_literal_entry), by_slot_and_bits);
}

static uint32_t add_bits(uint64_t *met, uint32_t n, uint64_t bits) {
  uint32_t i = 0;
  if (n == LEAST) return n;
  met[n] = bits;
  while (met[i] != bits) i++;
  return n + (i == n);
}

/* Adds the literals of a pattern to those met, unless they are many. */
static uint32_t add_met(const divider *m, const ph_pattern *p, uint64_t *met,
                        uint32_t n) {
  const ph_rulenode *nodes = p->rule->nodes;
  uint32_t slot, literal;
  for (uint32_t k = p->decided; k < p->end && p->literals > 0; k++) {
    const ph_test *t = &m->l->tests.at[k];
    if (is_literal(t)) n = add_bits(met, n, nodes[t->arg].bits);
  }
  if (p->rule->guard == 0) return n;
  literal = find_equality(m, p, p->rule->guard, &slot);
  return literal == 0 ? n : add_bits(met, n, nodes[literal].bits);
}

/* True if the patterns may ask for many constants; mostly they do not, which is
** cheap to see. */
static bool has_many(const divider *m) {
  uint64_t met[LEAST];
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->n && n < LEAST; i++)
    n = add_met(m, &m->l->patterns.at[m->list[i]], met, n);
  return n == LEAST;
}

/* Returns how many constants patterns that are not taken ask for in a slot. */
static uint32_t count_constants(const divider *m, uint32_t slot) {
  const ph_literal_entry *last = NULL;
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->all.n; i++) {
    const ph_literal_entry *e = &m->all.at[i];
    if (e->slot != slot || m->taken[e->position]) continue;
    count += last == NULL || last->bits != e->bits;
    last = e;
  }
  return count;
}

static ph_literal_run *run_of(const ph_literal_table *t, uint64_t bits) {
  uint32_t i = (uint32_t)(bits * UINT64_C(0x9e3779b97f4a7c15) >> 32);
  for (i ^= i >> 16;; i++) {
    ph_literal_run *run = &t->runs[i & (t->cap - 1)];
    if (run->n == 0 || run->bits == bits) return run;
  }
}

/* Makes a table of the patterns that ask for `count` constants in a slot. */
static void make_literal_table(divider *m, uint32_t slot, uint32_t count) {
  ph_literal_table *t = &m->d->tables[m->d->ntables++];
  t->slot = slot;
  for (t->cap = 16; t->cap < 2 * count; t->cap *= 2) continue;
  t->runs = ph_arena_zero(m->arena, t->cap * sizeof *t->runs);
  for (uint32_t i = 0; i < m->all.n; i++) {
    const ph_literal_entry *e = &m->all.at[i];
    ph_literal_run *run;
    if (e->slot != slot || m->taken[e->position]) continue;
    run = run_of(t, e->bits);
    if (run->n++ == 0) run->first = m->members.n;
    run->bits = e->bits;
    ph_ids_push(&m->members, m->arena, e->position);
  }
  for (uint32_t i = 0; i < m->all.n; i++)
    if (m->all.at[i].slot == slot) m->taken[m->all.at[i].position] = true;
}

/* Makes a table for the slot in which patterns differ most; false: they hardly
** differ. */
static bool make_best(divider *m) {
  uint32_t best = 0, most = LEAST - 1;
  for (uint32_t slot = PH_SLOT_FIRST; slot < PH_SLOTS; slot++) {
    uint32_t count = count_constants(m, slot);
    if (count > most) best = slot, most = count;
  }
  if (best != 0) make_literal_table(m, best, most);
  return best != 0;
}

/* Divides the n patterns of a list.  False: too few differ in constants. */
static bool divide_list(ph_literal_list *d, ph_arena *a, ph_arena *scratch,
                        const ph_patternlist *l, const uint32_t *list,
                        uint32_t n) {
  divider m = {d, a, scratch, l, list, n, {0}, NULL, {0}};
  memset(d, 0, sizeof *d);
  if (!has_many(&m)) return false;
  collect_literals(&m);
  m.taken = ph_arena_zero(scratch, n + 1);
  while (make_best(&m)) continue;
  if (d->ntables == 0) return false;
  d->rest = m.members.n;
  for (uint32_t i = 1; i <= n; i++)
    if (!m.taken[i]) ph_ids_push(&m.members, a, i);
  d->nrest = m.members.n - d->rest;
  d->members = m.members.at;
  return true;
}

static void add_range(ph_literal_cursor *c, const uint32_t *at, uint32_t n) {
  if (n == 0) return;
  c->at[c->n] = at;
  c->end[c->n++] = at + n;
}

ph_literal_cursor ph_literal_table_start(const ph_literal_list *d,
                                         const ph_func *f,
                                         const uint32_t *slots) {
  ph_literal_cursor c = {.n = 0};
  for (uint32_t i = 0; i < d->ntables; i++) {
    const ph_literal_table *t = &d->tables[i];
    const ph_node *n = ph_node_of(f, slots[t->slot]);
    const ph_literal_run *run;
    if (n->op != PH_CONST) continue;
    run = run_of(t, f->datas.at[n->aux].bits);
    add_range(&c, d->members + run->first, run->n);
  }
  add_range(&c, d->members + d->rest, d->nrest);
  return c;
}

/* Removes a range of one element; returns that. */
static uint32_t remove_range(ph_literal_cursor *c, uint32_t i) {
  uint32_t position = *c->at[i];
  c->n--;
  c->at[i] = c->at[c->n];
  c->end[i] = c->end[c->n];
  return position;
}

uint32_t ph_literal_table_next(ph_literal_cursor *c) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < c->n; i++)
    if (*c->at[i] < *c->at[best]) best = i;
  if (c->n == 0) return 0;
  if (c->at[best] + 1 < c->end[best]) return *c->at[best]++;
  return remove_range(c, best);
}

/* }== Life =========================================================== */

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
  if (all->n == 0) return PH_OPS;
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

/* Returns the number of list `at` in t->literals, or 0. */
static uint32_t number_divided(ph_ruletable *t, ph_arena *scratch,
                               uint32_t at) {
  const uint32_t *list = t->dispatch.lists.at + at;
  ph_literal_list d;
  if (!divide_list(&d, &t->arena, scratch, &t->list, list + 1, *list)) return 0;
  ph_literal_lists_push(&t->literals, &t->arena, d);
  return t->literals.n;
}

static void make_candidates(ph_ruletable *t, ph_arena *scratch) {
  const ph_ids *lists = &t->dispatch.lists;
  ph_candidates_reserve(&t->candidates, &t->arena, lists->n);
  for (uint32_t i = 0; i < lists->n;) {
    const ph_candidate head = {.pattern = number_divided(t, scratch, i)};
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

/* The ops that the table must tell apart: those behind the last one that a
** pattern asks for are treated alike. */
static uint32_t count_asked(const ph_wanteds *wanted) {
  uint32_t n = PH_OPS;
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
  if (set->base != NULL) ph_ruleset_freeze(set->base);
  for (uint32_t op = PH_NONE + 1; op < count_ops(set); op++)
    ph_rule_table_table(set, (ph_op)op);
  if (!set->frozen) set->frozen = true; /* another thread may be reading it */
}

/* }=================================================================== */
