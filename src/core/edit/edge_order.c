/* edge_order.c: finds edges, lets them arrive and depart; their order at both
** ends.
**
** Edges keep their order at both ends when others are removed, and new ones
** come last.  To do so by moving what follows would cost the number of edges.
** So an edge that goes leaves its place to the last one, and the order is
** restored when it is next read (ph_body_settle): each edge has a number
** for either end, `in` and `out`, by which they are sorted then.  In between,
** all lists are consistent, and only their order is not the right one.
**
** Several edges between the same two blocks must have the same order at both
** ends, since text distinguishes them by nothing else.  If an edit disturbs it,
** they exchange their numbers `in`.  Of such a bundle only a note is made
** (`mixed`), until an edge leaves it or the order is read.
**
** The index of edges is made when an edge is first edited, or looked for by its
** ends, and kept up to date until ph_edge_order_forget.  The edges into a block
** are chained in one direction only; the index adds the other one, and each
** edge's position.  A hash table maps two blocks to the bundle of edges between
** them, which is a chain of its own.  So an edge can be found, and removed from
** all chains, in constant time.
**
** Keeps: operands in step with edges; uses.
*/
#include "core/edit/edge_order.h"

#include <stdlib.h>

#include "core/ir/block.h"
#include "core/ir/uses.h"
#include "core/ir/value.h"

/* What the index knows of an edge. */
typedef struct {
  uint64_t in, out; /* its order among the edges into, and out of, a block */
  uint32_t place;   /* its position in the chain of its target, from 0 */
  uint32_t prev;    /* the edge before it there, or 0 */
  uint32_t bundle;  /* 0: it does not arrive */
  uint32_t before, after; /* in the chain of its bundle, or 0 */
} arrival;
PH_VEC(arrivals, arrival)

/* All edges between the same two blocks. */
typedef struct {
  uint32_t from, to;
  uint32_t first, last, n; /* the chain of its edges */
  bool sorted;             /* they are chained by `out` */
  bool mixed;              /* `in` may order them otherwise; if not: sorted */
} bundle;
PH_VEC(bundles, bundle)

/* Which ends of a block are out of order. */
enum { LOOSE_IN = 1, LOOSE_OUT = 2 };

struct ph_edge_index {
  bool whole;       /* it is made */
  arrivals at;      /* by edge */
  bundles bundles;  /* from 1 */
  ph_ids spare;     /* bundles not in use */
  uint32_t *table;  /* of bundles: an open hash */
  uint32_t cap;     /* of the table: a power of two */
  uint64_t clock;   /* greater than all `in` and `out` */
  ph_bytes loose;   /* by block, may be shorter: LOOSE_... */
  ph_ids ins, outs; /* the blocks that are loose, and some that were */
};

static arrival *arrival_of(const ph_func *f, uint32_t e) {
  return &f->edge_index->at.at[e];
}

static bundle *bundle_of(const ph_func *f, uint32_t e) {
  return &f->edge_index->bundles.at[arrival_of(f, e)->bundle];
}

/*
** {== The table of bundles ===========================================
*/

/* Returns the slot of the bundle, or a free one.  Multiplying scatters the
** numbers (Knuth, volume 3, 6.4); the upper bits depend on all others. */
static uint32_t *slot_of(const ph_edge_index *x, uint32_t from, uint32_t to) {
  uint64_t key = (uint64_t)from << 32 | to;
  uint32_t i = (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
  for (i ^= i >> 16;; i++) {
    uint32_t *slot = &x->table[i & (x->cap - 1)];
    const bundle *b = &x->bundles.at[*slot];
    if (*slot == 0 || (b->from == from && b->to == to)) return slot;
  }
}

/* Makes a larger table.  Bundles stay in it when they become empty; now those
** become spare. */
static void rebuild_table(ph_func *f, ph_edge_index *x) {
  uint32_t *old = x->table, had = x->cap, live = 1;
  for (uint32_t i = 1; i < x->bundles.n; i++) live += x->bundles.at[i].n > 0;
  ph_ids_reserve(&x->spare, &f->editing, x->bundles.n);
  for (x->cap = 16; x->cap < 4 * live; x->cap *= 2) continue;
  x->table = ph_arena_zero(&f->editing, x->cap * sizeof *x->table);
  x->spare.n = 0;
  for (uint32_t i = 1; i < x->bundles.n; i++) {
    const bundle *b = &x->bundles.at[i];
    if (b->n > 0)
      *slot_of(x, b->from, b->to) = i;
    else
      x->spare.at[x->spare.n++] = i;
  }
  ph_arena_drop(&f->editing, old, had * sizeof *old);
}

/* Returns the bundle, which may be empty, or 0. */
static uint32_t find_bundle(const ph_func *f, uint32_t from, uint32_t to) {
  return *slot_of(f->edge_index, from, to);
}

static uint32_t find_or_make(ph_func *f, uint32_t from, uint32_t to) {
  ph_edge_index *x = f->edge_index;
  const bundle made = {.from = from, .to = to, .sorted = true};
  uint32_t id = find_bundle(f, from, to);
  if (id != 0) return id;
  if (2 * (x->bundles.n - x->spare.n) > x->cap) rebuild_table(f, x);
  if (x->spare.n > 0) {
    id = x->spare.at[--x->spare.n];
    x->bundles.at[id] = made;
  } else {
    id = x->bundles.n;
    bundles_push(&x->bundles, &f->editing, made);
  }
  return *slot_of(x, from, to) = id;
}

/* }== Bundles ======================================================== */

static void chain_in_bundle(ph_func *f, bundle *b, uint32_t before, uint32_t e,
                            uint32_t after) {
  arrival_of(f, e)->before = before;
  arrival_of(f, e)->after = after;
  *(before != 0 ? &arrival_of(f, before)->after : &b->first) = e;
  *(after != 0 ? &arrival_of(f, after)->before : &b->last) = e;
}

/* True if a precedes b at their target. */
static bool precedes(const ph_func *f, uint32_t a, uint32_t b) {
  return arrival_of(f, a)->in < arrival_of(f, b)->in;
}

/* Adds e to its bundle; true if `in` orders the bundle as `out` does. */
static bool add_to_bundle(ph_func *f, uint32_t e) {
  uint32_t id = find_or_make(f, f->edges.at[e].from, f->edges.at[e].to);
  bundle *b = &f->edge_index->bundles.at[id];
  uint32_t first = b->first, last = b->last;
  arrival_of(f, e)->bundle = id;
  if (b->n++ == 0) {
    b->sorted = true;
    chain_in_bundle(f, b, 0, e, 0);
    return true;
  }
  if (b->sorted && arrival_of(f, e)->out < arrival_of(f, first)->out) {
    chain_in_bundle(f, b, 0, e, first);
    return precedes(f, e, first);
  }
  b->sorted = b->sorted && arrival_of(f, last)->out < arrival_of(f, e)->out;
  chain_in_bundle(f, b, last, e, 0);
  return b->sorted && precedes(f, last, e);
}

/* An edge, and the number by which it is sorted. */
typedef struct {
  uint64_t number;
  uint32_t edge;
} ranked;

static int by_number(const void *p, const void *q) {
  const ranked *a = p, *b = q;
  return (a->number > b->number) - (a->number < b->number);
}

/* Chains the edges of a bundle by `out`. */
static void sort_bundle(ph_func *f, bundle *b) {
  ph_arena_mark bottom = ph_arena_here(&f->scratch);
  ranked *edges;
  uint32_t n = 0;
  if (b->sorted) return;
  edges = ph_arena_alloc(&f->scratch, (b->n + 1) * sizeof *edges);
  for (uint32_t e = b->first; e != 0; e = arrival_of(f, e)->after)
    edges[n++] = (ranked){arrival_of(f, e)->out, e};
  qsort(edges, n, sizeof *edges, by_number);
  b->first = b->last = 0;
  for (uint32_t i = 0; i < n; i++)
    chain_in_bundle(f, b, b->last, edges[i].edge, 0);
  b->sorted = true;
  ph_arena_release(&f->scratch, bottom);
}

uint32_t ph_edge_order_count(const ph_func *f, uint32_t from, uint32_t to) {
  return f->edge_index->bundles.at[find_bundle(f, from, to)].n;
}

uint32_t ph_edge_order_nth(ph_func *f, uint32_t from, uint32_t to, uint32_t n) {
  bundle *b = &f->edge_index->bundles.at[find_bundle(f, from, to)];
  uint32_t e, left;
  if (n >= b->n) return 0;
  sort_bundle(f, b);
  if (n < b->n / 2) {
    for (e = b->first; n > 0; n--) e = arrival_of(f, e)->after;
  } else {
    for (e = b->last, left = b->n - 1 - n; left > 0; left--)
      e = arrival_of(f, e)->before;
  }
  return e;
}

uint32_t ph_edge_order_place(const ph_func *f, uint32_t e) {
  return arrival_of(f, e)->place;
}

/* }== Numbers of edges =============================================== */

/* Chains `next` after `prev` among the edges into t; 0: t's ends. */
static void link_edges(ph_func *f, ph_blockrec *t, uint32_t prev,
                       uint32_t next) {
  *(prev != 0 ? &f->edges.at[prev].next : &t->first_pred) = next;
  *(next != 0 ? &arrival_of(f, next)->prev : &t->last_pred) = prev;
}

typedef struct {
  uint32_t first, n;
  const uint32_t *now;
} renaming;

static uint32_t renamed(const renaming *r, uint32_t e) {
  return e - r->first < r->n ? r->now[e - r->first] : e;
}

void ph_edge_order_renumber(ph_func *f, uint32_t first, uint32_t n,
                            const uint32_t *now) {
  const ph_edge none = {0};
  const renaming r = {first, n, now};
  ph_arena_mark bottom = ph_arena_here(&f->scratch);
  ph_edge *edges = ph_arena_alloc(&f->scratch, (n + 1) * sizeof *edges);
  arrival *all = ph_arena_alloc(&f->scratch, (n + 1) * sizeof *all);
  for (uint32_t i = 0; i < n; i++) {
    edges[i] = f->edges.at[first + i];
    all[i] = *arrival_of(f, first + i);
    f->edges.at[first + i] = none;
    arrival_of(f, first + i)->bundle = 0;
  }
  for (uint32_t i = 0; i < n; i++)
    if (now[i] != 0) {
      edges[i].next = renamed(&r, edges[i].next);
      all[i].prev = renamed(&r, all[i].prev);
      all[i].before = renamed(&r, all[i].before);
      all[i].after = renamed(&r, all[i].after);
      f->edges.at[now[i]] = edges[i];
      *arrival_of(f, now[i]) = all[i];
    }
  for (uint32_t i = 0; i < n; i++)
    if (now[i] != 0) {
      ph_blockrec *t = ph_blockrec_of(f, f->edges.at[now[i]].to);
      const arrival *a = arrival_of(f, now[i]);
      link_edges(f, t, a->prev, now[i]);
      link_edges(f, t, now[i], f->edges.at[now[i]].next);
      chain_in_bundle(f, bundle_of(f, now[i]), a->before, now[i], a->after);
    }
  ph_arena_release(&f->scratch, bottom);
}

/* }== The index ====================================================== */

static void index_block(ph_func *f, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t place = 0, prev = 0;
  for (uint32_t i = 0; i < block->nsuccs; i++)
    arrival_of(f, block->first_succ + i)->out = ++f->edge_index->clock;
  PH_EACH_PRED(f, b, e) {
    arrival_of(f, e)->place = place++;
    arrival_of(f, e)->prev = prev;
    arrival_of(f, e)->in = ++f->edge_index->clock;
    prev = e;
  }
}

void ph_edge_order_enter(ph_func *f, uint32_t first) {
  arrivals_extend(&f->edge_index->at, &f->editing, f->edges.n);
  for (uint32_t b = first; b < f->blocks.n; b++)
    if (!f->blocks.at[b].removed) index_block(f, b);
  for (uint32_t b = first; b < f->blocks.n; b++) {
    if (f->blocks.at[b].removed) continue;
    PH_EACH_PRED(f, b, e) add_to_bundle(f, e);
  }
}

void ph_edge_order_need(ph_func *f) {
  if (f->edge_index == NULL || !f->edge_index->whole) {
    /* If memory runs out in here, the next call begins anew. */
    ph_arena_done(&f->editing);
    const bundle none = {.sorted = true};
    ph_edge_index *x = ph_arena_zero(&f->editing, sizeof *x);
    bundles_push(&x->bundles, &f->editing, none);
    x->cap = 16;
    x->table = ph_arena_zero(&f->editing, x->cap * sizeof *x->table);
    f->edge_index = x;
    ph_edge_order_enter(f, 1);
    f->edge_index->whole = true;
  }
  arrivals_extend(&f->edge_index->at, &f->editing, f->edges.n);
}

/* }== What is out of order =========================================== */

static void settle_edges(ph_func *f, uint32_t b);

static void note_loose(ph_func *f, uint32_t b, uint8_t end) {
  ph_edge_index *x = f->edge_index;
  ph_bytes_extend(&x->loose, &f->editing, f->blocks.n);
  if (x->loose.at[b] & end) return;
  ph_ids_push(end == LOOSE_IN ? &x->ins : &x->outs, &f->editing, b);
  x->loose.at[b] |= end;
  f->settle = settle_edges;
}

static bool is_loose(const ph_func *f, uint32_t b, uint8_t end) {
  const ph_edge_index *x = f->edge_index;
  return x != NULL && b < x->loose.n && (x->loose.at[b] & end) != 0;
}

static void note_ordered(ph_func *f, uint32_t b, uint8_t end) {
  f->edge_index->loose.at[b] &= (uint8_t)~end;
}

/* Gives the i-th edge of a mixed bundle the i-th of its numbers. */
static void order_bundle(ph_func *f, bundle *b) {
  ph_arena_mark bottom = ph_arena_here(&f->scratch);
  ranked *in;
  uint32_t n = 0;
  if (!b->mixed) return;
  in = ph_arena_alloc(&f->scratch, (b->n + 1) * sizeof *in);
  sort_bundle(f, b);
  for (uint32_t e = b->first; e != 0; e = arrival_of(f, e)->after)
    in[n++] = (ranked){arrival_of(f, e)->in, e};
  qsort(in, n, sizeof *in, by_number);
  n = 0;
  for (uint32_t e = b->first; e != 0; e = arrival_of(f, e)->after)
    arrival_of(f, e)->in = in[n++].number;
  b->mixed = false;
  ph_arena_release(&f->scratch, bottom);
}

/* The result must not depend on when the order was read. */
void ph_edge_order_part(ph_func *f, uint32_t e) {
  order_bundle(f, bundle_of(f, e));
  bundle *b = bundle_of(f, e);
  uint32_t before = arrival_of(f, e)->before, after = arrival_of(f, e)->after;
  *(before != 0 ? &arrival_of(f, before)->after : &b->first) = after;
  *(after != 0 ? &arrival_of(f, after)->before : &b->last) = before;
  arrival_of(f, e)->bundle = 0;
  b->n--;
}

static void join_bundle(ph_func *f, uint32_t e) {
  if (!add_to_bundle(f, e)) {
    uint32_t id = arrival_of(f, e)->bundle;
    ph_edge_index *x = f->edge_index;
    if (x->bundles.at[id].mixed) return;
    note_loose(f, x->bundles.at[id].to, LOOSE_IN);
    x->bundles.at[id].mixed = true;
  }
}

static void rejoin_bundle(ph_func *f, uint32_t e, uint64_t out) {
  arrival_of(f, e)->out = out;
  join_bundle(f, e);
}

void ph_edge_order_rejoin(ph_func *f, uint32_t e) {
  rejoin_bundle(f, e, ++f->edge_index->clock);
}

void ph_edge_order_handover(ph_func *f, uint32_t b, uint32_t to) {
  ph_blockrec *from = ph_blockrec_of(f, b), *heir = ph_blockrec_of(f, to);
  uint32_t end = from->first_succ + from->nsuccs;
  for (uint32_t e = from->first_succ; e < end; e++) {
    if (!ph_body_iscut(f, e)) ph_edge_order_part(f, e);
    f->edges.at[e].from = to;
  }
  for (uint32_t e = from->first_succ; e < end; e++)
    if (!ph_body_iscut(f, e)) ph_edge_order_rejoin(f, e);
  heir->first_succ = from->first_succ;
  heir->nsuccs = from->nsuccs;
  heir->inert = from->inert;
  from->nsuccs = 0;
  from->inert = from->filled = false;
  f->flow_changes++;
}

/* }== Sorting ======================================================== */

/* Gives a phi the operands in the order of these edges.  Room for its uses
** exists. */
static void sort_args(ph_func *f, uint32_t phi, const ranked *edges, uint32_t n,
                      uint32_t *spare) {
  uint32_t *args = f->operands.at + ph_node_of(f, phi)->args;
  ph_uses_unlink(f, phi);
  memcpy(spare, args, n * sizeof *args);
  for (uint32_t i = 0; i < n; i++)
    args[i] = spare[arrival_of(f, edges[i].edge)->place];
  ph_uses_link(f, phi);
}

/* Puts the edges into b in order.  All memory is taken first: it may run out
** in a query. */
static void sort_ins(ph_func *f, uint32_t b) {
  ph_arena_mark bottom = ph_arena_here(&f->scratch);
  uint32_t most = ph_blockrec_of(f, b)->npreds + 1, n = 0;
  ranked *edges;
  uint32_t *spare;
  if (!is_loose(f, b, LOOSE_IN)) return;
  edges = ph_arena_alloc(&f->scratch, most * sizeof *edges);
  spare = ph_arena_alloc(&f->scratch, most * sizeof *spare);
  ph_uses_reserve(f);
  PH_EACH_PRED(f, b, e) order_bundle(f, bundle_of(f, e));
  PH_EACH_PRED(f, b, e) edges[n++] = (ranked){arrival_of(f, e)->in, e};
  qsort(edges, n, sizeof *edges, by_number);
  PH_EACH_PHI(f, b, phi) sort_args(f, phi, edges, n, spare);
  ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t prev = 0;
  for (uint32_t i = 0; i < n; i++) {
    link_edges(f, block, prev, edges[i].edge);
    arrival_of(f, edges[i].edge)->place = i;
    prev = edges[i].edge;
  }
  link_edges(f, block, prev, 0);
  note_ordered(f, b, LOOSE_IN);
  ph_arena_release(&f->scratch, bottom);
}

/* Gives the switch of b the keys in the order of these edges. */
static void sort_keys(ph_func *f, uint32_t b, const ranked *edges, uint32_t n,
                      uint32_t *spare) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  const ph_node *v = ph_node_of(f, block->last);
  uint32_t *args = f->operands.at + v->args;
  if (v->op != PH_SWITCH) return;
  ph_uses_unlink(f, block->last);
  memcpy(spare, args, n * sizeof *args);
  for (uint32_t i = 1; i < n; i++)
    args[i] = spare[edges[i].edge - block->first_succ];
  ph_uses_link(f, block->last);
}

void ph_edge_order_source(ph_func *f, uint32_t b) {
  ph_arena_mark bottom = ph_arena_here(&f->scratch);
  uint32_t first = ph_blockrec_of(f, b)->first_succ;
  uint32_t n = ph_blockrec_of(f, b)->nsuccs;
  uint32_t *now, *spare;
  ranked *edges;
  if (!is_loose(f, b, LOOSE_OUT)) return;
  edges = ph_arena_alloc(&f->scratch, (n + 1) * sizeof *edges);
  now = ph_arena_alloc(&f->scratch, (n + 1) * sizeof *now);
  spare = ph_arena_alloc(&f->scratch, (n + 1) * sizeof *spare);
  ph_uses_reserve(f);
  for (uint32_t i = 0; i < n; i++)
    edges[i] = (ranked){arrival_of(f, first + i)->out, first + i};
  qsort(edges, n, sizeof *edges, by_number);
  for (uint32_t i = 0; i < n; i++) now[edges[i].edge - first] = first + i;
  ph_edge_order_renumber(f, first, n, now);
  sort_keys(f, b, edges, n, spare);
  note_ordered(f, b, LOOSE_OUT);
  ph_arena_release(&f->scratch, bottom);
}

static void settle_edges(ph_func *f, uint32_t b) {
  ph_edge_index *x = f->edge_index;
  if (b != 0) {
    ph_edge_order_source(f, b);
    sort_ins(f, b);
    return;
  }
  for (; x->outs.n > 0; x->outs.n--)
    ph_edge_order_source(f, x->outs.at[x->outs.n - 1]);
  for (; x->ins.n > 0; x->ins.n--) sort_ins(f, x->ins.at[x->ins.n - 1]);
  f->settle = NULL;
}

void ph_edge_order_forget(ph_func *f) {
  if (f->edge_index == NULL) return;
  ph_body_settle(f);
  f->edge_index = NULL;
  ph_arena_done(&f->editing);
}

/* }== Arriving and departing ========================================= */

static int by_phi(const void *p, const void *q) {
  const ph_incoming *a = p, *b = q;
  return (a->phi.id > b->phi.id) - (a->phi.id < b->phi.id);
}

ph_incomings ph_edge_order_incomings(ph_func *f, const ph_incoming *in,
                                     uint32_t n) {
  ph_incoming *copy = ph_arena_alloc(&f->scratch, (n + 1) * sizeof *copy);
  for (uint32_t i = 0; i < n; i++) {
    copy[i].phi = ph_value_resolve(f, in[i].phi);
    copy[i].value = ph_value_resolve(f, in[i].value);
  }
  qsort(copy, n, sizeof *copy, by_phi);
  return (ph_incomings){copy, n};
}

void ph_edge_order_arrive(ph_func *f, uint32_t e, ph_incomings in) {
  uint32_t to = f->edges.at[e].to;
  arrival_of(f, e)->in = ++f->edge_index->clock;
  arrival_of(f, e)->place = ph_blockrec_of(f, to)->npreds;
  arrival_of(f, e)->prev = ph_blockrec_of(f, to)->last_pred;
  ph_block_arrive(f, e);
  PH_EACH_PHI(f, to, phi) {
    const ph_incoming key = {{phi}, {0}};
    const ph_incoming *it = bsearch(&key, in.at, in.n, sizeof *in.at, by_phi);
    ph_must(it != NULL && "a value for each phi of the target");
    ph_operands_add(f, phi, it->value.id);
  }
  join_bundle(f, e);
}

void ph_edge_order_append(ph_func *f, uint32_t e, ph_incomings in) {
  arrival_of(f, e)->out = ++f->edge_index->clock;
  ph_edge_order_arrive(f, e, in);
}

/* Gives the last operand of a phi the place of another. */
static void move_last(ph_func *f, uint32_t phi, uint32_t place) {
  uint32_t last = ph_node_of(f, phi)->nargs - 1;
  if (place != last)
    ph_value_setarg(f, phi, place, ph_body_operand(f, phi, last));
  ph_operands_pop(f, phi);
}

/* Puts `by`, which is in no chain, in the place of e. */
static void take_place(ph_func *f, uint32_t e, uint32_t by) {
  ph_blockrec *to = ph_blockrec_of(f, f->edges.at[e].to);
  uint32_t prev = arrival_of(f, e)->prev, next = f->edges.at[e].next;
  arrival_of(f, by)->place = arrival_of(f, e)->place;
  link_edges(f, to, prev, by);
  link_edges(f, to, by, next);
}

void ph_edge_order_depart(ph_func *f, uint32_t e) {
  uint32_t to = f->edges.at[e].to, place = arrival_of(f, e)->place;
  uint32_t last = ph_blockrec_of(f, to)->last_pred;
  if (arrival_of(f, last)->place > place + 1) note_loose(f, to, LOOSE_IN);
  PH_EACH_PHI(f, to, phi) move_last(f, phi, place);
  link_edges(f, ph_blockrec_of(f, to), arrival_of(f, last)->prev, 0);
  ph_blockrec_of(f, to)->npreds--;
  if (last != e) take_place(f, e, last);
  ph_edge_order_part(f, e);
  f->flow_changes++;
}

void ph_edge_order_replace(ph_func *f, uint32_t e, uint32_t by) {
  take_place(f, e, by);
  ph_edge_order_part(f, e);
  arrival_of(f, by)->in = arrival_of(f, e)->in;
  join_bundle(f, by);
}

/* }== Dropping ======================================================= */

/* Frees e, which has departed, and gives its number to the last edge out of
** b. */
static void renumber_last(ph_func *f, uint32_t b, uint32_t e) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t last = block->first_succ + --block->nsuccs;
  if (last != e) ph_edge_order_renumber(f, last, 1, &e);
  f->edges.at[last] = (ph_edge){0};
}

void ph_edge_order_drop(ph_func *f, uint32_t b, uint32_t e) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  if (e + 2 < block->first_succ + block->nsuccs) note_loose(f, b, LOOSE_OUT);
  ph_edge_order_depart(f, e);
  renumber_last(f, b, e);
}

/* Exchanges the order in which two edges of a bundle arrive. */
static void exchange(ph_func *f, uint32_t e, uint32_t e2) {
  uint64_t in = arrival_of(f, e)->in;
  arrival_of(f, e)->in = arrival_of(f, e2)->in;
  arrival_of(f, e2)->in = in;
  note_loose(f, f->edges.at[e].to, LOOSE_IN);
}

void ph_edge_order_dropfirst(ph_func *f, uint32_t b) {
  uint32_t e = ph_blockrec_of(f, b)->first_succ;
  uint32_t last = e + ph_blockrec_of(f, b)->nsuccs - 1;
  uint64_t out = arrival_of(f, e)->out;
  order_bundle(f, bundle_of(f, e));
  if (e != last && f->edges.at[e].to == f->edges.at[last].to)
    exchange(f, e, last);
  ph_edge_order_depart(f, e);
  renumber_last(f, b, e);
  if (last == e) return;
  ph_edge_order_part(f, e);
  rejoin_bundle(f, e, out);
}

/* }=================================================================== */
