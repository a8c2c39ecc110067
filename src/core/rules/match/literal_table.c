/* literal_table.c: the patterns of a list by the constants that they require.
**
** Rules of one shape that differ in constants, such as those of a table of
** magic numbers, are all in the same cell of the class table.  Where a list has
** many of them, a hash table maps the constant in a slot to the patterns that
** ask for it.  A literal is another constant at another width, so a pattern is
** entered under each that it can be; its own test decides.
*/
#include "core/rules/match/literal_table.h"

#include <stdlib.h>

#include "core/ir/const.h"

/* Lists with fewer different constants are short enough. */
enum { LEAST = 8 };

typedef struct {
  ph_literal_list *d;
  ph_arena *arena, *scratch;
  const ph_patternlist *l;
  const uint32_t *list;
  uint32_t n;
  ph_literal_entries all; /* by slot, bits, position */
  bool *taken;            /* by position: it belongs to a table */
  ph_ids members;
} maker;

/*
** {== Constants ======================================================
*/

static void add_entry(maker *m, uint32_t slot, uint32_t position,
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
static void add_literal(maker *m, uint32_t position, uint32_t slot,
                        const ph_rule *rule, uint32_t node) {
  const ph_rulenode *n = &rule->nodes[node];
  if (n->kind != PH_R_LIT) return;
  add_entry(m, slot, position, n->bits);
  for (ph_type t = PH_I1; t < PH_TYPES; t++)
    if (ph_type_isint(t) && is_possible(&rule->types[n->type], t))
      add_entry(m, slot, position,
                (uint64_t)ph_const_normal(t, (int64_t)n->bits));
}

static int by_all(const void *p, const void *q) {
  const ph_literal_entry *a = p, *b = q;
  if (a->slot != b->slot) return a->slot < b->slot ? -1 : 1;
  if (a->bits != b->bits) return a->bits < b->bits ? -1 : 1;
  return (a->position > b->position) - (a->position < b->position);
}

static bool is_literal(const ph_test *t) {
  return t->kind == PH_TEST_LITERAL && t->slot < PH_SLOTS;
}

static void collect(maker *m) {
  for (uint32_t i = 0; i < m->n; i++) {
    const ph_pattern *p = &m->l->patterns.at[m->list[i]];
    for (uint32_t k = p->decided; k < p->end && p->literals > 0; k++) {
      const ph_test *t = &m->l->tests.at[k];
      if (is_literal(t)) add_literal(m, i + 1, t->slot, p->rule, t->arg);
    }
  }
  qsort(m->all.at, m->all.n, sizeof(ph_literal_entry), by_all);
}

/* Adds the literals of a pattern to those met, unless they are many. */
static uint32_t meet(const maker *m, const ph_pattern *p, uint64_t *met,
                     uint32_t n) {
  for (uint32_t k = p->decided; k < p->end && n < LEAST; k++) {
    const ph_test *t = &m->l->tests.at[k];
    uint32_t i = 0;
    if (!is_literal(t)) continue;
    met[n] = p->rule->nodes[t->arg].bits;
    while (met[i] != met[n]) i++;
    n += i == n;
  }
  return n;
}

/* True if the patterns may ask for many constants; mostly they do not, which is
** cheap to see. */
static bool has_many(const maker *m) {
  uint64_t met[LEAST];
  uint32_t n = 0;
  for (uint32_t i = 0; i < m->n && n < LEAST; i++) {
    const ph_pattern *p = &m->l->patterns.at[m->list[i]];
    if (p->literals > 0) n = meet(m, p, met, n);
  }
  return n == LEAST;
}

/* }== Tables ========================================================= */

/* Returns how many constants patterns that are not taken ask for in a slot. */
static uint32_t count_constants(const maker *m, uint32_t slot) {
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
static void make_table(maker *m, uint32_t slot, uint32_t count) {
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
static bool make_best(maker *m) {
  uint32_t best = 0, most = LEAST - 1;
  for (uint32_t slot = PH_SLOT_FIRST; slot < PH_SLOTS; slot++) {
    uint32_t count = count_constants(m, slot);
    if (count > most) best = slot, most = count;
  }
  if (best != 0) make_table(m, best, most);
  return best != 0;
}

bool ph_literal_table_make(ph_literal_list *d, ph_arena *a, ph_arena *scratch,
                           const ph_patternlist *l, const uint32_t *list,
                           uint32_t n) {
  maker m = {d, a, scratch, l, list, n, {0}, NULL, {0}};
  memset(d, 0, sizeof *d);
  if (!has_many(&m)) return false;
  collect(&m);
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

/* }== Finding ======================================================== */

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

/* }=================================================================== */
