/* edge_order.c: lets edges arrive and depart; their order at both ends.
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
** Edges are stored where they leave: those of a block are contiguous, one for
** each of its terminator's targets.  Where they arrive they are chained, one
** for each operand of the phis.  So an edge that stays, but gets another number,
** keeps its place in the chain, and phis need not change.
**
** Runs of edges grow as lists of operands do (uses.c): one that becomes longer
** moves to the end with room to spare, and a free edge leaves block 0.
**
** Requires: the edges that stay have arrived.  Keeps: operands in step with
** edges; uses.
*/
#include "core/edit/edge_order.h"

#include <assert.h>
#include <stdlib.h>

#include "core/ir/block.h"
#include "core/ir/uses.h"
#include "core/ir/value.h"

static ph_arrival *at(const ph_func *f, uint32_t e) {
  return ph_edge_index_at(f, e);
}

static void settle(ph_func *f, uint32_t b);

/*
** {== What is out of order ===========================================
*/

static void loosen(ph_func *f, uint32_t b, uint8_t end) {
  ph_edge_index *x = f->edge_index;
  ph_bytes_reserve(&x->loose, &f->editing, f->blocks.n);
  while (x->loose.n < f->blocks.n) x->loose.at[x->loose.n++] = 0;
  if (x->loose.at[b] & end) return;
  ph_ids_push(end == PH_LOOSE_IN ? &x->ins : &x->outs, &f->editing, b);
  x->loose.at[b] |= end;
  f->settle = settle;
}

static bool is_loose(const ph_func *f, uint32_t b, uint8_t end) {
  const ph_edge_index *x = f->edge_index;
  return x != NULL && b < x->loose.n && (x->loose.at[b] & end) != 0;
}

static void tighten(ph_func *f, uint32_t b, uint8_t end) {
  f->edge_index->loose.at[b] &= (uint8_t)~end;
}

static void mark_mixed(ph_func *f, uint32_t id) {
  ph_edge_index *x = f->edge_index;
  if (x->bundles.at[id].mixed) return;
  loosen(f, x->bundles.at[id].to, PH_LOOSE_IN);
  x->bundles.at[id].mixed = true;
}

/* }== Bundles ======================================================== */

static int by_number(const void *p, const void *q) {
  const uint64_t *a = p, *b = q;
  return (*a > *b) - (*a < *b);
}

/* Gives the i-th edge of a mixed bundle the i-th of its numbers. */
static void unmix(ph_func *f, ph_bundle *b) {
  ph_arena_mark bottom = ph_arena_here(&f->scratch);
  uint64_t *in;
  uint32_t n = 0;
  if (!b->mixed) return;
  in = ph_arena_alloc(&f->scratch, (b->n + 1) * sizeof *in);
  ph_edge_index_sort(f, b);
  for (uint32_t e = b->first; e != 0; e = at(f, e)->after)
    in[n++] = at(f, e)->in;
  qsort(in, n, sizeof *in, by_number);
  n = 0;
  for (uint32_t e = b->first; e != 0; e = at(f, e)->after)
    at(f, e)->in = in[n++];
  b->mixed = false;
  ph_arena_release(&f->scratch, bottom);
}

/* The result must not depend on when the order was read. */
static void leave_bundle(ph_func *f, uint32_t e) {
  unmix(f, ph_edge_index_bundle(f, e));
  ph_edge_index_part(f, e);
}

static void join_bundle(ph_func *f, uint32_t e) {
  if (!ph_edge_index_join(f, e)) mark_mixed(f, at(f, e)->bundle);
}

static void rejoin_bundle(ph_func *f, uint32_t e, uint64_t out) {
  at(f, e)->out = out;
  join_bundle(f, e);
}

/* }== Sorting ======================================================== */

typedef struct {
  uint64_t number;
  uint32_t edge;
} ranked;

static int by_rank(const void *p, const void *q) {
  return by_number(&((const ranked *)p)->number, &((const ranked *)q)->number);
}

/* Gives a phi the operands in the order of these edges.  Room for its uses
** exists. */
static void sort_args(ph_func *f, uint32_t phi, const ranked *edges, uint32_t n,
                      uint32_t *spare) {
  uint32_t *args = f->operands.at + ph_node_of(f, phi)->args;
  ph_uses_unlink(f, phi);
  memcpy(spare, args, n * sizeof *args);
  for (uint32_t i = 0; i < n; i++) args[i] = spare[at(f, edges[i].edge)->place];
  ph_uses_link(f, phi);
}

/* Chains the edges into b anew. */
static void chain(ph_func *f, uint32_t b, const ranked *edges, uint32_t n) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t prev = 0;
  for (uint32_t i = 0; i < n; i++) {
    ph_edge_index_link(f, block, prev, edges[i].edge);
    at(f, edges[i].edge)->place = i;
    prev = edges[i].edge;
  }
  ph_edge_index_link(f, block, prev, 0);
}

/* Puts the edges into b in order.  All memory is taken first: it may run out
** in a query. */
static void sort_ins(ph_func *f, uint32_t b) {
  ph_arena_mark bottom = ph_arena_here(&f->scratch);
  uint32_t most = ph_blockrec_of(f, b)->npreds + 1, n = 0;
  ranked *edges;
  uint32_t *spare;
  if (!is_loose(f, b, PH_LOOSE_IN)) return;
  edges = ph_arena_alloc(&f->scratch, most * sizeof *edges);
  spare = ph_arena_alloc(&f->scratch, most * sizeof *spare);
  ph_uses_reserve(f);
  PH_EACH_PRED(f, b, e) unmix(f, ph_edge_index_bundle(f, e));
  PH_EACH_PRED(f, b, e) edges[n++] = (ranked){at(f, e)->in, e};
  qsort(edges, n, sizeof *edges, by_rank);
  PH_EACH_PHI(f, b, phi) sort_args(f, phi, edges, n, spare);
  chain(f, b, edges, n);
  tighten(f, b, PH_LOOSE_IN);
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
  if (!is_loose(f, b, PH_LOOSE_OUT)) return;
  edges = ph_arena_alloc(&f->scratch, (n + 1) * sizeof *edges);
  now = ph_arena_alloc(&f->scratch, (n + 1) * sizeof *now);
  spare = ph_arena_alloc(&f->scratch, (n + 1) * sizeof *spare);
  ph_uses_reserve(f);
  for (uint32_t i = 0; i < n; i++)
    edges[i] = (ranked){at(f, first + i)->out, first + i};
  qsort(edges, n, sizeof *edges, by_rank);
  for (uint32_t i = 0; i < n; i++) now[edges[i].edge - first] = first + i;
  ph_edge_index_renumber(f, first, n, now);
  sort_keys(f, b, edges, n, spare);
  tighten(f, b, PH_LOOSE_OUT);
  ph_arena_release(&f->scratch, bottom);
}

static void settle(ph_func *f, uint32_t b) {
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
  at(f, e)->in = ++f->edge_index->clock;
  at(f, e)->place = ph_blockrec_of(f, to)->npreds;
  at(f, e)->prev = ph_blockrec_of(f, to)->last_pred;
  ph_block_arrive(f, e);
  PH_EACH_PHI(f, to, phi) {
    const ph_incoming key = {{phi}, {0}};
    const ph_incoming *it = bsearch(&key, in.at, in.n, sizeof *in.at, by_phi);
    assert(it != NULL && "a value for each phi of the target");
    ph_operands_add(f, phi, it->value.id);
  }
  join_bundle(f, e);
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
  uint32_t prev = at(f, e)->prev, next = f->edges.at[e].next;
  at(f, by)->place = at(f, e)->place;
  ph_edge_index_link(f, to, prev, by);
  ph_edge_index_link(f, to, by, next);
}

/* Removes e, along with its operands of phis, from the edges into its
** target. */
static void depart(ph_func *f, uint32_t e) {
  uint32_t to = f->edges.at[e].to, place = at(f, e)->place;
  uint32_t last = ph_blockrec_of(f, to)->last_pred;
  if (at(f, last)->place > place + 1) loosen(f, to, PH_LOOSE_IN);
  PH_EACH_PHI(f, to, phi) move_last(f, phi, place);
  ph_edge_index_link(f, ph_blockrec_of(f, to), at(f, last)->prev, 0);
  ph_blockrec_of(f, to)->npreds--;
  if (last != e) take_place(f, e, last);
  leave_bundle(f, e);
}

void ph_edge_order_replace(ph_func *f, uint32_t e, uint32_t by) {
  take_place(f, e, by);
  leave_bundle(f, e);
  at(f, by)->in = at(f, e)->in;
  join_bundle(f, by);
}

/* }== Dropping ======================================================= */

/* Frees e, which has departed, and gives its number to the last edge out of
** b. */
static void renumber_last(ph_func *f, uint32_t b, uint32_t e) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t last = block->first_succ + --block->nsuccs;
  if (last != e) ph_edge_index_renumber(f, last, 1, &e);
  f->edges.at[last] = (ph_edge){0};
}

void ph_edge_order_drop(ph_func *f, uint32_t b, uint32_t e) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  if (e + 2 < block->first_succ + block->nsuccs) loosen(f, b, PH_LOOSE_OUT);
  depart(f, e);
  renumber_last(f, b, e);
}

/* Exchanges the order in which two edges of a bundle arrive. */
static void exchange(ph_func *f, uint32_t e, uint32_t e2) {
  uint64_t in = at(f, e)->in;
  at(f, e)->in = at(f, e2)->in;
  at(f, e2)->in = in;
  loosen(f, f->edges.at[e].to, PH_LOOSE_IN);
}

void ph_edge_order_dropfirst(ph_func *f, uint32_t b) {
  uint32_t e = ph_blockrec_of(f, b)->first_succ;
  uint32_t last = e + ph_blockrec_of(f, b)->nsuccs - 1;
  uint64_t out = at(f, e)->out;
  unmix(f, ph_edge_index_bundle(f, e));
  if (e != last && f->edges.at[e].to == f->edges.at[last].to)
    exchange(f, e, last);
  depart(f, e);
  renumber_last(f, b, e);
  if (last == e) return;
  leave_bundle(f, e);
  rejoin_bundle(f, e, out);
}

/* }== Room for edges out of a block ================================== */

static bool is_free(const ph_func *f, uint32_t from, uint32_t to) {
  if (to > f->edges.n) return false;
  while (from < to && f->edges.at[from].from == 0) from++;
  return from == to;
}

/* Returns where n edges of b have room, preferably where its edges are. */
static uint32_t find_room(ph_func *f, uint32_t b, uint32_t n) {
  const ph_edge none = {0};
  const ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t first = block->first_succ, had = block->nsuccs;
  uint32_t last = f->edges.n + n + (had > 0 ? n / 2 : 0);
  if (n <= had || (had > 0 && is_free(f, first + had, first + n))) return first;
  first = f->edges.n;
  ph_edges_reserve(&f->edges, &f->arena, last);
  while (f->edges.n < last) f->edges.at[f->edges.n++] = none;
  return first;
}

/* Makes edge e, the last one of b in order, to block `to`; `in` is sorted. */
static void make_edge(ph_func *f, uint32_t e, uint32_t b, uint32_t to,
                      ph_incomings in) {
  f->edges.at[e] = (ph_edge){b, to, 0};
  ph_edge_index_at(f, e)->out = ++f->edge_index->clock;
  ph_edge_order_arrive(f, e, in);
}

/* }== Changing all edges out of a block ============================== */

ph_succs ph_succs_room(ph_func *f, uint32_t n) {
  ph_succs s = {n, NULL, NULL};
  s.to = ph_arena_alloc(&f->scratch, 2 * (n + 1) * sizeof(uint32_t));
  s.was = s.to + n + 1;
  return s;
}

/* Returns, by old edge of b, from 0, its new number; 0: it is removed. */
static uint32_t *new_numbers(ph_func *f, uint32_t b, uint32_t base,
                             const ph_succs *s) {
  uint32_t n = ph_blockrec_of(f, b)->nsuccs;
  uint32_t *now = ph_arena_zero(&f->scratch, (n + 1) * sizeof *now);
  for (uint32_t k = 0; k < s->n; k++)
    if (s->was[k] != PH_NEWEDGE) now[s->was[k]] = base + k;
  return now;
}

/* Removes the old edges of b that get no new number, and moves the others. */
static void move_old(ph_func *f, uint32_t b, const uint32_t *now) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t first = block->first_succ, n = block->nsuccs;
  for (uint32_t i = 0; i < n; i++)
    if (now[i] == 0 && !ph_body_iscut(f, first + i)) depart(f, first + i);
  ph_edge_index_renumber(f, first, n, now);
}

/* Orders the edges of b, which start at `base`, as they are stored. */
static void order_edges(ph_func *f, uint32_t b, uint32_t base,
                        const ph_succs *s, ph_incomings in) {
  for (uint32_t k = 0; k < s->n; k++)
    if (s->was[k] != PH_NEWEDGE) leave_bundle(f, base + k);
  for (uint32_t k = 0; k < s->n; k++)
    if (s->was[k] == PH_NEWEDGE)
      make_edge(f, base + k, b, s->to[k], in);
    else
      rejoin_bundle(f, base + k, ++f->edge_index->clock);
}

void ph_succs_change(ph_func *f, uint32_t b, const ph_succs *s,
                     ph_incomings in) {
  uint32_t base = find_room(f, b, s->n);
  ph_edge_index_need(f);
  move_old(f, b, new_numbers(f, b, base, s));
  ph_blockrec_of(f, b)->first_succ = base;
  ph_blockrec_of(f, b)->nsuccs = s->n;
  ph_blockrec_of(f, b)->inert = false;
  order_edges(f, b, base, s, in);
  f->version++;
}

/* }== Changing some edges out of a block ============================= */

/* Makes room for one more edge of b behind its others. */
static void make_room(ph_func *f, uint32_t b) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t base = find_room(f, b, block->nsuccs + 1), *now;
  ph_edge_index_need(f);
  if (base == block->first_succ) return;
  now = ph_arena_alloc(&f->scratch, (block->nsuccs + 1) * sizeof *now);
  for (uint32_t i = 0; i < block->nsuccs; i++) now[i] = base + i;
  ph_edge_index_renumber(f, block->first_succ, block->nsuccs, now);
  block->first_succ = base;
}

void ph_succs_add(ph_func *f, uint32_t b, uint32_t to, ph_incomings in) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  make_room(f, b);
  make_edge(f, block->first_succ + block->nsuccs++, b, to, in);
  block->inert = false;
  f->version++;
}

void ph_succs_retarget(ph_func *f, uint32_t b, uint32_t from, uint32_t to,
                       ph_incomings in) {
  uint32_t e;
  ph_edge_index_need(f);
  while ((e = ph_edge_index_nth(f, b, from, 0)) != 0) {
    depart(f, e);
    f->edges.at[e].to = to;
    ph_edge_order_arrive(f, e, in);
  }
  f->version++;
}

/* }=================================================================== */
