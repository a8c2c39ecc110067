/* divide.c: long lists of patterns, divided by what they ask for.
**
** The class table tells patterns apart by the ops of two operands.  Those in one
** of its cells, such as the rules of a table of magic numbers, or many deep rules
** with one head, differ in constants, or in ops further down.  Where they are
** many, a hash table maps what is at one position to the patterns that ask for
** that, and these are divided again, by other positions.  A pattern that
** asks for nothing there is left for another table, or is always tried: no
** pattern is in two places, so the memory is linear, and a look-up may lead to several ranges (as
** in the backtracking automata of Augustsson, "Compiling pattern matching", FPCA
** 1985; a decision tree would copy).
**
** Keys may coincide: patterns that are found are still tested in full.
*/
#include "core/rules/match/divide.h"

#include <stdlib.h>

#include "core/rules/set/constexpr.h"

/* A table spares a look-up so many patterns at least.  The ops of operands of
** operands are told by the first test of each pattern, too, which takes less time
** than looking into tables unless the list is long. */
enum { LEAST = 8, LONG = 100 };

#define NOWHERE UINT64_MAX

/* A pattern that asks for something. */
typedef struct {
  ph_path path;
  uint64_t key;
  uint32_t position;
} entry;
PH_VEC(entries, entry)
PH_VEC(paths, ph_path)

typedef struct {
  ph_arena *arena, *scratch;
  const ph_patternlist *l;
  const uint32_t *list;
  uint32_t n;
  uint32_t *members;
  uint32_t *ordered; /* members of the part that is being divided */
  uint32_t done;     /* how many these are */
  bool *taken;       /* by position: it is among them */
  entries all;       /* of the part; by path, key, position */
  paths asked;       /* of the tables that lead to the part */
  paths paths;       /* of the pattern whose entries are added, by slot */
} divider;

/*
** {== Entries ========================================================
*/

/* Returns the path to operand i; NOWHERE: it is too long. */
static ph_path enter_path(ph_path path, uint32_t i) {
  uint32_t shift = 8;
  if (path >> 56 != 0 || i > 254) return NOWHERE;
  while (path >> shift != 0) shift += 8;
  return path | (ph_path)(i + 1) << shift;
}

/* Operands whose order is chosen while matching are nowhere, and what is below
** them. */
static void find_paths(divider *m, const ph_pattern *p) {
  m->paths.n = 0;
  while (m->paths.n < p->slots)
    paths_push(&m->paths, m->scratch,
               m->paths.n < PH_SLOTS ? m->paths.n : NOWHERE);
  for (uint32_t k = p->decided; k < p->end; k++) {
    const ph_test *t = &m->l->tests.at[k];
    if (t->kind != PH_TEST_LOAD) continue;
    m->paths.at[t->slot] =
        enter_path(m->paths.at[t->arg >> 16], t->arg & 0xffff);
  }
}

static void add_entry(divider *m, uint32_t position, uint32_t slot,
                      uint64_t key) {
  const entry e = {m->paths.at[slot], key, position};
  for (uint32_t i = 0; i < m->asked.n; i++)
    if (m->asked.at[i] == e.path) return;
  if (e.path != NOWHERE) entries_push(&m->all, m->scratch, e);
}

static bool is_equality(const ph_rule *rule, const ph_rulenode *n) {
  const ph_rulenode *a = &rule->nodes[n->first], *b = &rule->nodes[a->next];
  return n->kind == PH_R_EXPR && n->op == PH_EQ && a->kind == PH_R_CONST &&
         b->kind == PH_R_LIT && b->type == 0;
}

/* Adds what the guard at `node`, if it must be true, asks for.  False: a function
** of the host is called, so what follows is not looked at. */
static bool add_guard(divider *m, uint32_t position, const ph_pattern *p,
                      uint32_t node, bool must) {
  const ph_rulenode *nodes = p->rule->nodes, *n = &nodes[node];
  if (must && is_equality(p->rule, n)) {
    const ph_rulenode *a = &nodes[n->first];
    add_entry(m, position, m->l->notes.at[p->vars + a->var],
              ph_division_constant(nodes[a->next].bits));
  }
  must &= n->kind == PH_R_EXPR && n->op == PH_F_AND;
  PH_EACH_KID(p->rule, node, kid) {
    if (!add_guard(m, position, p, kid, must)) return false;
  }
  return !ph_rule_iscall(n);
}

static void add_pattern(divider *m, uint32_t position) {
  const ph_pattern *p = &m->l->patterns.at[m->list[position - 1]];
  find_paths(m, p);
  for (uint32_t k = p->decided; k < p->end && p->ops > 0; k++) {
    const ph_test *t = &m->l->tests.at[k];
    if (t->kind == PH_TEST_WANT && t->arg < PH_TAG_CONST &&
        (t->slot >= PH_SLOTS || m->n >= LONG))
      add_entry(m, position, t->slot, t->arg);
  }
  for (uint32_t slot = 0; slot < p->slots && p->literals > 0; slot++) {
    const ph_rulenode *n = &p->rule->nodes[m->l->notes.at[p->nodes + slot]];
    if (n->kind == PH_R_LIT)
      add_entry(m, position, slot, ph_division_constant(n->bits));
  }
  if (p->rule->guard != 0) add_guard(m, position, p, p->rule->guard, true);
}

static int by_path_and_key(const void *p, const void *q) {
  const entry *a = p, *b = q;
  if (a->path != b->path) return a->path < b->path ? -1 : 1;
  if (a->key != b->key) return a->key < b->key ? -1 : 1;
  return (a->position > b->position) - (a->position < b->position);
}

/* }== Tables ========================================================= */

/* The entries at one path, of patterns that are not taken. */
typedef struct {
  uint32_t from, end;
  uint32_t keys;
  uint32_t spared; /* patterns that a look-up does not find */
} group;

static group next_group(const divider *m, uint32_t from, bool is_long) {
  const entry *all = m->all.at, *last = NULL;
  group g = {from, from, 0, 0};
  uint32_t same = 0, most = 0;
  for (; g.end < m->all.n && all[g.end].path == all[from].path; g.end++) {
    const entry *e = &all[g.end];
    if (m->taken[e->position]) continue;
    if (last == NULL || last->key != e->key) g.keys++, same = 0;
    if (++same > most) most = same;
    last = e;
    g.spared++;
  }
  if (!is_long) g.spared -= most;
  return g;
}

/* Makes a table of a group; the ranges of its parts are in `ordered`, which is
** a copy of the members from `first` on. */
static ph_division_table *make_table(divider *m, const group *g,
                                     uint32_t first) {
  ph_division_table *t = ph_arena_zero(m->arena, sizeof *t);
  t->path = m->all.at[g->from].path;
  for (t->cap = 16; t->cap < 2 * g->keys; t->cap *= 2) continue;
  t->runs = ph_arena_zero(m->arena, t->cap * sizeof *t->runs);
  for (uint32_t i = g->from; i < g->end; i++) {
    const entry *e = &m->all.at[i];
    ph_division_run *run;
    if (m->taken[e->position]) continue;
    run = ph_division_find(t, e->key);
    if (run->key == 0) run->part.rest = first + m->done;
    run->key = e->key;
    run->part.nrest++;
    m->taken[e->position] = true;
    m->ordered[m->done++] = e->position;
  }
  return t;
}

/* Makes the table that spares most; NULL: none does.  A look-up into a long part
** should mostly end there, so what all patterns ask for comes first; elsewhere it
** should find few. */
static ph_division_table *make_best(divider *m, const ph_division_part *part) {
  group best = {0, 0, 0, LEAST - 1};
  for (uint32_t i = 0; i < m->all.n;) {
    const group g = next_group(m, i, part->nrest >= LONG);
    if (g.spared > best.spared ||
        (g.spared == best.spared && g.keys < best.keys))
      best = g;
    i = g.end;
  }
  return best.keys == 0 ? NULL : make_table(m, &best, part->rest);
}

static void divide_part(divider *m, ph_division_part *part, uint32_t ranges);

/* Divides the parts of the tables, which share the ranges: those of the first
** table, which are the longest, get most. */
static void divide_tables(divider *m, const ph_division_part *part,
                          uint32_t ranges) {
  for (const ph_division_table *t = part->tables; t != NULL; t = t->next) {
    const uint32_t rest = t->next != NULL ? ranges / 2 : 0;
    paths_push(&m->asked, m->scratch, t->path);
    for (uint32_t i = 0; i < t->cap; i++)
      divide_part(m, &t->runs[i].part, ranges - rest);
    m->asked.n--;
    ranges = rest;
  }
}

/* Divides what is a range of its own so far, into tables and a range. */
static void divide_part(divider *m, ph_division_part *part, uint32_t ranges) {
  uint32_t *members = m->members + part->rest;
  const uint32_t n = part->nrest;
  ph_division_table **next = &part->tables;
  if (n <= LEAST || ranges < 2) return;
  m->all.n = 0;
  for (uint32_t i = 0; i < n; i++) add_pattern(m, members[i]);
  if (m->all.n > 0) qsort(m->all.at, m->all.n, sizeof(entry), by_path_and_key);
  m->done = 0;
  for (uint32_t left = ranges - 1; left > 0; left /= 2) {
    *next = make_best(m, part);
    if (*next == NULL) break;
    next = &(*next)->next;
  }
  part->rest += m->done;
  part->nrest -= m->done;
  for (uint32_t i = 0; i < n; i++)
    if (!m->taken[members[i]]) m->ordered[m->done++] = members[i];
  for (uint32_t i = 0; i < n; i++) m->taken[members[i]] = false;
  memcpy(members, m->ordered, n * sizeof *members);
  divide_tables(m, part, ranges - 1);
}

bool ph_divide(ph_division *d, ph_arena *a, ph_arena *scratch,
               const ph_patternlist *l, const uint32_t *list, uint32_t n) {
  divider m = {.arena = a, .scratch = scratch, .l = l, .list = list, .n = n};
  if (n <= LEAST) return false;
  memset(d, 0, sizeof *d);
  d->all.nrest = n;
  d->members = m.members = ph_arena_alloc(a, n * sizeof *m.members);
  m.ordered = ph_arena_alloc(scratch, n * sizeof *m.ordered);
  m.taken = ph_arena_zero(scratch, n + 1);
  for (uint32_t i = 0; i < n; i++) m.members[i] = i + 1;
  divide_part(&m, &d->all, PH_DIVISION_RANGES);
  return d->all.tables != NULL;
}

/* }=================================================================== */
