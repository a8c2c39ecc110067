/* edge_index.c: finds the edges between two blocks, and where they arrive.
**
** The edges into a block are chained in one direction only; the index adds the
** other one, and each edge's position.  A hash table maps two blocks to the
** bundle of edges between them, which is a chain of its own.  So an edge can be
** found, and removed from all chains, in constant time.
*/
#include "core/edit/edge_index.h"

#include <stdlib.h>

static ph_arrival *at(const ph_func *f, uint32_t e) {
  return ph_edge_index_at(f, e);
}

/*
** {== The table ======================================================
*/

/* Returns the slot of the bundle, or a free one.  Multiplying scatters the
** numbers (Knuth, volume 3, 6.4); the upper bits depend on all others. */
static uint32_t *slot_of(const ph_edge_index *x, uint32_t from, uint32_t to) {
  uint64_t key = (uint64_t)from << 32 | to;
  uint32_t i = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
  for (i ^= i >> 16;; i++) {
    uint32_t *slot = &x->table[i & (x->cap - 1)];
    const ph_bundle *b = &x->bundles.at[*slot];
    if (*slot == 0 || (b->from == from && b->to == to)) return slot;
  }
}

/* Makes a larger table.  Bundles stay in it when they become empty; now those
** become spare. */
static void rebuild(ph_func *f, ph_edge_index *x) {
  uint32_t *old = x->table, had = x->cap, live = 1;
  for (uint32_t i = 1; i < x->bundles.n; i++) live += x->bundles.at[i].n > 0;
  ph_ids_reserve(&x->spare, &f->editing, x->bundles.n);
  for (x->cap = 16; x->cap < 4 * live; x->cap *= 2) continue;
  x->table = ph_arena_zero(&f->editing, x->cap * sizeof *x->table);
  x->spare.n = 0;
  for (uint32_t i = 1; i < x->bundles.n; i++) {
    const ph_bundle *b = &x->bundles.at[i];
    if (b->n > 0)
      *slot_of(x, b->from, b->to) = i;
    else
      x->spare.at[x->spare.n++] = i;
  }
  ph_arena_drop(&f->editing, old, had * sizeof *old);
}

/* Returns the bundle, which may be empty, or 0. */
static uint32_t find(const ph_func *f, uint32_t from, uint32_t to) {
  return *slot_of(f->edge_index, from, to);
}

static uint32_t find_or_make(ph_func *f, uint32_t from, uint32_t to) {
  ph_edge_index *x = f->edge_index;
  const ph_bundle made = {.from = from, .to = to, .sorted = true};
  uint32_t id = find(f, from, to);
  if (id != 0) return id;
  if (2 * (x->bundles.n - x->spare.n) > x->cap) rebuild(f, x);
  if (x->spare.n > 0) {
    id = x->spare.at[--x->spare.n];
    x->bundles.at[id] = made;
  } else {
    id = x->bundles.n;
    ph_bundles_push(&x->bundles, &f->editing, made);
  }
  return *slot_of(x, from, to) = id;
}

/* }== Bundles ======================================================== */

static void chain(ph_func *f, ph_bundle *b, uint32_t before, uint32_t e,
                  uint32_t after) {
  at(f, e)->before = before;
  at(f, e)->after = after;
  *(before != 0 ? &at(f, before)->after : &b->first) = e;
  *(after != 0 ? &at(f, after)->before : &b->last) = e;
}

/* True if a precedes b at both ends. */
static bool precedes(const ph_func *f, uint32_t a, uint32_t b) {
  return at(f, a)->out < at(f, b)->out && at(f, a)->in < at(f, b)->in;
}

bool ph_edge_index_join(ph_func *f, uint32_t e) {
  uint32_t id = find_or_make(f, f->edges.at[e].from, f->edges.at[e].to);
  ph_bundle *b = &f->edge_index->bundles.at[id];
  uint32_t first = b->first, last = b->last;
  at(f, e)->bundle = id;
  if (b->n++ == 0) {
    b->sorted = true;
    chain(f, b, 0, e, 0);
    return true;
  }
  if (b->sorted && at(f, e)->out < at(f, first)->out) {
    chain(f, b, 0, e, first);
    return precedes(f, e, first);
  }
  b->sorted = b->sorted && at(f, last)->out < at(f, e)->out;
  chain(f, b, last, e, 0);
  return b->sorted && precedes(f, last, e);
}

void ph_edge_index_part(ph_func *f, uint32_t e) {
  ph_bundle *b = ph_edge_index_bundle(f, e);
  uint32_t before = at(f, e)->before, after = at(f, e)->after;
  *(before != 0 ? &at(f, before)->after : &b->first) = after;
  *(after != 0 ? &at(f, after)->before : &b->last) = before;
  at(f, e)->bundle = 0;
  b->n--;
}

typedef struct {
  uint64_t out;
  uint32_t edge;
} leaving;

static int by_out(const void *p, const void *q) {
  const leaving *a = p, *b = q;
  return (a->out > b->out) - (a->out < b->out);
}

void ph_edge_index_sort(ph_func *f, ph_bundle *b) {
  ph_arena_mark bottom = ph_arena_here(&f->scratch);
  leaving *edges;
  uint32_t n = 0;
  if (b->sorted) return;
  edges = ph_arena_alloc(&f->scratch, (b->n + 1) * sizeof *edges);
  for (uint32_t e = b->first; e != 0; e = at(f, e)->after)
    edges[n++] = (leaving){at(f, e)->out, e};
  qsort(edges, n, sizeof *edges, by_out);
  b->first = b->last = 0;
  for (uint32_t i = 0; i < n; i++) chain(f, b, b->last, edges[i].edge, 0);
  b->sorted = true;
  ph_arena_release(&f->scratch, bottom);
}

uint32_t ph_edge_index_count(const ph_func *f, uint32_t from, uint32_t to) {
  return f->edge_index->bundles.at[find(f, from, to)].n;
}

uint32_t ph_edge_index_nth(ph_func *f, uint32_t from, uint32_t to, uint32_t n) {
  ph_bundle *b = &f->edge_index->bundles.at[find(f, from, to)];
  uint32_t e, left;
  if (n >= b->n) return 0;
  ph_edge_index_sort(f, b);
  if (n < b->n / 2) {
    for (e = b->first; n > 0; n--) e = at(f, e)->after;
  } else {
    for (e = b->last, left = b->n - 1 - n; left > 0; left--)
      e = at(f, e)->before;
  }
  return e;
}

/* }== Numbers ======================================================== */

void ph_edge_index_link(ph_func *f, ph_blockrec *t, uint32_t prev,
                        uint32_t next) {
  *(prev != 0 ? &f->edges.at[prev].next : &t->first_pred) = next;
  *(next != 0 ? &at(f, next)->prev : &t->last_pred) = prev;
}

typedef struct {
  uint32_t first, n;
  const uint32_t *now;
} renaming;

static uint32_t renamed(const renaming *r, uint32_t e) {
  return e - r->first < r->n ? r->now[e - r->first] : e;
}

static void rename_edge(ph_func *f, const renaming *r, ph_edge e, ph_arrival a,
                        uint32_t now) {
  e.next = renamed(r, e.next);
  a.prev = renamed(r, a.prev);
  a.before = renamed(r, a.before);
  a.after = renamed(r, a.after);
  f->edges.at[now] = e;
  *at(f, now) = a;
}

/* Tells the neighbours of e its number. */
static void relink(ph_func *f, uint32_t e) {
  ph_blockrec *t = ph_blockrec_of(f, f->edges.at[e].to);
  const ph_arrival *a = at(f, e);
  ph_edge_index_link(f, t, a->prev, e);
  ph_edge_index_link(f, t, e, f->edges.at[e].next);
  chain(f, ph_edge_index_bundle(f, e), a->before, e, a->after);
}

void ph_edge_index_renumber(ph_func *f, uint32_t first, uint32_t n,
                            const uint32_t *now) {
  const ph_edge none = {0};
  const renaming r = {first, n, now};
  ph_arena_mark bottom = ph_arena_here(&f->scratch);
  ph_edge *edges = ph_arena_alloc(&f->scratch, (n + 1) * sizeof *edges);
  ph_arrival *all = ph_arena_alloc(&f->scratch, (n + 1) * sizeof *all);
  for (uint32_t i = 0; i < n; i++) {
    edges[i] = f->edges.at[first + i];
    all[i] = *at(f, first + i);
    f->edges.at[first + i] = none;
    at(f, first + i)->bundle = 0;
  }
  for (uint32_t i = 0; i < n; i++)
    if (now[i] != 0) rename_edge(f, &r, edges[i], all[i], now[i]);
  for (uint32_t i = 0; i < n; i++)
    if (now[i] != 0) relink(f, now[i]);
  ph_arena_release(&f->scratch, bottom);
}

/* }== Making ========================================================= */

static ph_edge_index *blank(ph_func *f) {
  const ph_bundle none = {.sorted = true};
  ph_edge_index *x = ph_arena_zero(&f->editing, sizeof *x);
  ph_bundles_push(&x->bundles, &f->editing, none);
  x->cap = 16;
  x->table = ph_arena_zero(&f->editing, x->cap * sizeof *x->table);
  return x;
}

static void widen(ph_func *f) {
  const ph_arrival none = {0};
  ph_arrivals *all = &f->edge_index->at;
  ph_arrivals_reserve(all, &f->editing, f->edges.n);
  while (all->n < f->edges.n) all->at[all->n++] = none;
}

static void enter(ph_func *f, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t place = 0, prev = 0;
  for (uint32_t i = 0; i < block->nsuccs; i++)
    at(f, block->first_succ + i)->out = ++f->edge_index->clock;
  PH_EACH_PRED(f, b, e) {
    at(f, e)->place = place++;
    at(f, e)->prev = prev;
    at(f, e)->in = ++f->edge_index->clock;
    prev = e;
  }
}

/* If memory runs out in here, the next call begins anew. */
static void make(ph_func *f) {
  ph_edge_index *x;
  ph_arena_done(&f->editing);
  x = f->edge_index = blank(f);
  widen(f);
  PH_EACH_BLOCK(f, b) enter(f, b);
  PH_EACH_BLOCK(f, b) { PH_EACH_PRED(f, b, e) ph_edge_index_join(f, e); }
  x->whole = true;
}

void ph_edge_index_need(ph_func *f) {
  if (f->edge_index == NULL || !f->edge_index->whole) make(f);
  widen(f);
}

void ph_edge_index_forget(ph_func *f) {
  if (f->edge_index == NULL) return;
  ph_body_settle(f);
  f->edge_index = NULL;
  ph_arena_done(&f->editing);
}

/* }=================================================================== */
