/* divide.c: long lists of patterns, divided by what they ask for.
**
** Patterns of one shape that differ in constants, such as those of a table of
** magic numbers, or in the ops of operands of operands, are all in the same cell
** of the class table.  Where a list has many of them, hash tables map what is in
** some slots to the patterns that ask for that.  Patterns that ask for something
** in the same slots share a table (Srinivasan, Suri and Varghese call this a
** search in the space of tuples: SIGCOMM 1999).
**
** A key is a hash: patterns that it brings together by chance, as all others, are
** told apart by their own tests.
*/
#include "core/rules/match/divide.h"

#include <stdlib.h>

#include "core/ir/value.h"
#include "core/rules/set/constexpr.h"

/* Patterns with fewer different keys make a list that is short enough.  Ops are
** told apart by the first test of each pattern, too, which takes less time than
** looking into tables unless the list is long. */
enum { LEAST = 8, LONG = 100 };

/* A pattern that asks for something, as a number. */
typedef struct {
  uint64_t key;
  ph_asked asked;
  uint32_t position;
} entry;
PH_VEC(entries, entry)

typedef struct {
  ph_division *d; /* being made */
  ph_arena *arena, *scratch;
  const ph_patternlist *l;
  const uint32_t *list;
  uint32_t n;
  entries all; /* by `asked`, key, position */
  bool *taken; /* by position: it belongs to a table */
  ph_ids members;
} divider;

/*
** {== Keys ===========================================================
*/

static uint64_t mix(uint64_t key, uint64_t more) {
  key = (key ^ more) * UINT64_C(0x9e3779b97f4a7c15);
  return key ^ key >> 32;
}

static bool is_op(const ph_test *t) {
  return t->kind == PH_TEST_WANT && t->slot >= PH_SLOT_INNER &&
         t->slot < PH_SLOTS && t->arg < PH_TAG_CONST;
}

/* Returns the slots in which a pattern of a long list asks for an op, and adds
** these ops to the key. */
static uint8_t find_ops(const divider *m, const ph_pattern *p, uint64_t *key) {
  uint32_t tags[PH_SLOTS], set = 0;
  if (m->n < LONG || p->ops == 0) return 0;
  for (uint32_t k = p->decided; k < p->end; k++) {
    const ph_test *t = &m->l->tests.at[k];
    if (!is_op(t)) continue;
    set |= UINT32_C(1) << t->slot;
    tags[t->slot] = t->arg;
  }
  for (uint32_t slot = PH_SLOT_INNER; slot < PH_SLOTS; slot++)
    if (set >> slot & 1) *key = mix(*key, tags[slot]);
  return (uint8_t)set;
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

/* }== Entries ======================================================== */

static bool is_same(ph_asked a, ph_asked b) {
  return a.ops == b.ops && a.constant == b.constant;
}

static void add_entry(divider *m, uint32_t position, ph_asked asked,
                      uint64_t key) {
  const entry e = {key, asked, position};
  for (uint32_t i = m->all.n; i-- > 0;) {
    const entry *old = &m->all.at[i];
    if (old->position != position) break;
    if (is_same(old->asked, asked) && old->key == key) return;
  }
  entries_push(&m->all, m->scratch, e);
}

/* What the entries of a pattern have in common. */
typedef struct {
  uint32_t position;
  uint8_t ops; /* the slots in which it asks for them, and their key */
  uint64_t key;
} common;

/* Adds a constant that the pattern asks for, with the ops, and alone. */
static void add_constant(divider *m, const common *c, uint32_t slot,
                         uint64_t bits) {
  const ph_asked alone = {0, (uint8_t)slot}, both = {c->ops, (uint8_t)slot};
  add_entry(m, c->position, alone, mix(0, bits));
  if (c->ops != 0) add_entry(m, c->position, both, mix(c->key, bits));
}

static bool is_possible(const ph_ruletype *t, ph_type type) {
  if (t->fixed != PH_NOTYPE) return t->fixed == type;
  return (t->mask >> type & 1) != 0;
}

/* Adds the constants that the literal `node` stands for: it is another one at
** another width. */
static void add_literal(divider *m, const common *c, uint32_t slot,
                        const ph_rule *rule, uint32_t node) {
  const ph_rulenode *n = &rule->nodes[node];
  if (n->kind != PH_R_LIT) return;
  add_constant(m, c, slot, n->bits);
  for (ph_type t = PH_I1; t < PH_TYPES; t++)
    if (ph_type_isint(t) && is_possible(&rule->types[n->type], t))
      add_constant(m, c, slot, (uint64_t)ph_const_normal(t, (int64_t)n->bits));
}

/* Adds what a guard asks for, which compares signed integers: the i1 that is 1 is
** -1. */
static void add_equality(divider *m, const common *c, const ph_pattern *p) {
  uint32_t slot, literal = find_equality(m, p, p->rule->guard, &slot);
  uint64_t bits;
  if (literal == 0) return;
  bits = p->rule->nodes[literal].bits;
  add_constant(m, c, slot, bits);
  if (bits == UINT64_MAX) add_constant(m, c, slot, 1);
}

static void add_pattern(divider *m, uint32_t position, const ph_pattern *p) {
  common c = {position, 0, 0};
  c.ops = find_ops(m, p, &c.key);
  if (c.ops != 0) {
    const ph_asked ops = {c.ops, 0};
    add_entry(m, position, ops, c.key);
  }
  for (uint32_t k = p->decided; k < p->end && p->literals > 0; k++) {
    const ph_test *t = &m->l->tests.at[k];
    if (is_literal(t)) add_literal(m, &c, t->slot, p->rule, t->arg);
  }
  if (p->rule->guard != 0) add_equality(m, &c, p);
}

static int by_asked_and_key(const void *p, const void *q) {
  const entry *a = p, *b = q;
  if (a->asked.ops != b->asked.ops) return a->asked.ops > b->asked.ops ? -1 : 1;
  if (a->asked.constant != b->asked.constant)
    return a->asked.constant < b->asked.constant ? -1 : 1;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->position > b->position) - (a->position < b->position);
}

static void collect_entries(divider *m) {
  for (uint32_t i = 0; i < m->n; i++)
    add_pattern(m, i + 1, &m->l->patterns.at[m->list[i]]);
  qsort(m->all.at, m->all.n, sizeof(entry), by_asked_and_key);
}

/* }== Whether there are many ========================================= */

static uint32_t add_met(uint64_t *met, uint32_t n, uint64_t key) {
  uint32_t i = 0;
  if (n == LEAST) return n;
  met[n] = key;
  while (met[i] != key) i++;
  return n + (i == n);
}

/* Adds the literals of a pattern, and the key of its ops, to those met, unless
** they are many. */
static uint32_t meet_pattern(const divider *m, const ph_pattern *p,
                             uint64_t *met, uint32_t n) {
  const ph_rulenode *nodes = p->rule->nodes;
  uint32_t slot, literal;
  uint64_t key = 0;
  if (find_ops(m, p, &key) != 0) n = add_met(met, n, key);
  for (uint32_t k = p->decided; k < p->end && p->literals > 0; k++) {
    const ph_test *t = &m->l->tests.at[k];
    if (is_literal(t)) n = add_met(met, n, nodes[t->arg].bits);
  }
  if (p->rule->guard == 0) return n;
  literal = find_equality(m, p, p->rule->guard, &slot);
  return literal == 0 ? n : add_met(met, n, nodes[literal].bits);
}

/* True if the patterns may ask for many things; mostly they do not, which is
** cheap to see. */
static bool has_many(const divider *m) {
  uint64_t met[LEAST];
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->n && n < LEAST; i++)
    n = meet_pattern(m, &m->l->patterns.at[m->list[i]], met, n);
  return n == LEAST;
}

/* }== Tables ========================================================= */

/* Returns how many keys the patterns have that are not taken and whose entries
** ask for the same as entry `from`; stores where the next ones begin. */
static uint32_t count_keys(const divider *m, uint32_t from, uint32_t *next) {
  const entry *all = m->all.at, *last = NULL;
  uint32_t count = 0, i = from;
  for (; i < m->all.n && is_same(all[i].asked, all[from].asked); i++) {
    if (m->taken[all[i].position]) continue;
    count += last == NULL || last->key != all[i].key;
    last = &all[i];
  }
  *next = i;
  return count;
}

static ph_division_run *run_of(const ph_division_table *t, uint64_t key) {
  for (uint32_t i = (uint32_t)(key >> 16);; i++) {
    ph_division_run *run = &t->runs[i & (t->cap - 1)];
    if (run->n == 0 || run->key == key) return run;
  }
}

/* Makes a table of the entries from `from` to `end`, with `count` keys. */
static void make_table(divider *m, uint32_t from, uint32_t end,
                       uint32_t count) {
  ph_division_table *t = &m->d->tables[m->d->ntables++];
  t->asked = m->all.at[from].asked;
  for (t->cap = 16; t->cap < 2 * count; t->cap *= 2) continue;
  t->runs = ph_arena_zero(m->arena, t->cap * sizeof *t->runs);
  for (uint32_t i = from; i < end; i++) {
    const entry *e = &m->all.at[i];
    ph_division_run *run;
    if (m->taken[e->position]) continue;
    run = run_of(t, e->key);
    if (run->n++ == 0) run->first = m->members.n;
    run->key = e->key;
    ph_ids_push(&m->members, m->arena, e->position);
  }
  for (uint32_t i = from; i < end; i++) m->taken[m->all.at[i].position] = true;
}

/* Makes a table for what patterns differ in most; false: they hardly differ. */
static bool make_best(divider *m) {
  uint32_t best = 0, end = 0, most = LEAST - 1;
  for (uint32_t i = 0, next; i < m->all.n; i = next) {
    uint32_t count = count_keys(m, i, &next);
    if (count > most) best = i, end = next, most = count;
  }
  if (end != 0) make_table(m, best, end, most);
  return end != 0;
}

bool ph_divide(ph_division *d, ph_arena *a, ph_arena *scratch,
               const ph_patternlist *l, const uint32_t *list, uint32_t n) {
  divider m = {d, a, scratch, l, list, n, {0}, NULL, {0}};
  memset(d, 0, sizeof *d);
  if (!has_many(&m)) return false;
  collect_entries(&m);
  m.taken = ph_arena_zero(scratch, n + 1);
  while (d->ntables < PH_DIVISION_TABLES && make_best(&m)) continue;
  if (d->ntables == 0) return false;
  d->rest = m.members.n;
  for (uint32_t i = 1; i <= n; i++)
    if (!m.taken[i]) ph_ids_push(&m.members, a, i);
  d->nrest = m.members.n - d->rest;
  d->members = m.members.at;
  return true;
}

/* }== Looking up ===================================================== */

/* Stores the key of what is in the slots.  Returns false if a constant is asked
** for, and there is none. */
static bool find_key(const ph_division_table *t, const ph_func *f,
                     const uint32_t *slots, const uint32_t *tags,
                     uint64_t *key) {
  *key = 0;
  for (uint32_t slot = PH_SLOT_INNER; t->asked.ops >> slot != 0; slot++)
    if (t->asked.ops >> slot & 1) *key = mix(*key, tags[slot]);
  if (t->asked.constant != 0) {
    const ph_node *n = ph_node_of(f, slots[t->asked.constant]);
    if (n->op != PH_CONST) return false;
    *key = mix(*key, f->datas.at[n->aux].bits);
  }
  return true;
}

static void add_range(ph_division_cursor *c, const uint32_t *at, uint32_t n) {
  if (n == 0) return;
  c->at[c->n] = at;
  c->end[c->n++] = at + n;
}

ph_division_cursor ph_divide_start(const ph_division *d, const ph_func *f,
                                   const uint32_t *slots,
                                   const uint32_t *tags) {
  ph_division_cursor c = {.n = 0};
  for (uint32_t i = 0; i < d->ntables; i++) {
    const ph_division_run *run;
    uint64_t key;
    if (!find_key(&d->tables[i], f, slots, tags, &key)) continue;
    run = run_of(&d->tables[i], key);
    add_range(&c, d->members + run->first, run->n);
  }
  add_range(&c, d->members + d->rest, d->nrest);
  return c;
}

/* Removes a range of one element; returns that. */
static uint32_t remove_range(ph_division_cursor *c, uint32_t i) {
  uint32_t position = *c->at[i];
  c->n--;
  c->at[i] = c->at[c->n];
  c->end[i] = c->end[c->n];
  return position;
}

uint32_t ph_divide_next(ph_division_cursor *c) {
  uint32_t best = 0;
  for (uint32_t i = 1; i < c->n; i++)
    if (*c->at[i] < *c->at[best]) best = i;
  if (c->n == 0) return 0;
  if (c->at[best] + 1 < c->end[best]) return *c->at[best]++;
  return remove_range(c, best);
}

/* }=================================================================== */
