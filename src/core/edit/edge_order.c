/* edge_order.c: lets edges arrive and depart; their order at both ends.
**
** Edges keep their order at both ends when others are removed, and new ones
** come last.  To do so by moving what follows would cost the number of edges.
** So an edge that goes leaves its place to the last one, and the order is
** restored when somebody looks at it (ph_body_settle): each edge has a number
** for either end, `in` and `out`, by which they are sorted then.  In between,
** all lists are consistent, and only their order is not the right one.
**
** Several edges between the same two blocks must have the same order at both
** ends, since text distinguishes them by nothing else.  If an edit disturbs it,
** they exchange their numbers `in`.  Of such a bundle only a note is made
** (`mixed`), until an edge leaves it or somebody looks.
*/
#include "core/edit/edge_order.h"

#include <assert.h>
#include <stdlib.h>

#include "core/ir/block.h"
#include "core/ir/operands.h"
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

static void mix(ph_func *f, uint32_t id) {
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

/* The result must not depend on who has looked when. */
void ph_edge_order_part(ph_func *f, uint32_t e) {
  unmix(f, ph_edge_index_bundle(f, e));
  ph_edge_index_part(f, e);
}

static void join(ph_func *f, uint32_t e) {
  if (!ph_edge_index_join(f, e)) mix(f, at(f, e)->bundle);
}

void ph_edge_order_rejoin(ph_func *f, uint32_t e, uint64_t out) {
  at(f, e)->out = out;
  join(f, e);
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
** while somebody only looks. */
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

const ph_incoming *ph_edge_order_incoming(ph_func *f, const ph_incoming *in,
                                          uint32_t n) {
  ph_incoming *copy = ph_arena_alloc(&f->scratch, (n + 1) * sizeof *copy);
  for (uint32_t i = 0; i < n; i++) {
    copy[i].phi = ph_value_resolve(f, in[i].phi);
    copy[i].value = ph_value_resolve(f, in[i].value);
  }
  qsort(copy, n, sizeof *copy, by_phi);
  return copy;
}

void ph_edge_order_arrive(ph_func *f, uint32_t e, const ph_incoming *in,
                          uint32_t n) {
  uint32_t to = f->edges.at[e].to;
  at(f, e)->in = ++f->edge_index->clock;
  at(f, e)->place = ph_blockrec_of(f, to)->npreds;
  at(f, e)->prev = ph_blockrec_of(f, to)->last_pred;
  ph_block_arrive(f, e);
  PH_EACH_PHI(f, to, phi) {
    const ph_incoming key = {{phi}, {0}};
    const ph_incoming *it = bsearch(&key, in, n, sizeof *in, by_phi);
    assert(it != NULL && "a value for each phi of the target");
    ph_operands_add(f, phi, it->value.id);
  }
  join(f, e);
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

void ph_edge_order_depart(ph_func *f, uint32_t e) {
  uint32_t to = f->edges.at[e].to, place = at(f, e)->place;
  uint32_t last = ph_blockrec_of(f, to)->last_pred;
  if (at(f, last)->place > place + 1) loosen(f, to, PH_LOOSE_IN);
  PH_EACH_PHI(f, to, phi) move_last(f, phi, place);
  ph_edge_index_link(f, ph_blockrec_of(f, to), at(f, last)->prev, 0);
  ph_blockrec_of(f, to)->npreds--;
  if (last != e) take_place(f, e, last);
  ph_edge_order_part(f, e);
}

void ph_edge_order_replace(ph_func *f, uint32_t e, uint32_t by) {
  take_place(f, e, by);
  ph_edge_order_part(f, e);
  at(f, by)->in = at(f, e)->in;
  join(f, by);
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
  ph_edge_order_depart(f, e);
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
  ph_edge_order_depart(f, e);
  renumber_last(f, b, e);
  if (last == e) return;
  ph_edge_order_part(f, e);
  ph_edge_order_rejoin(f, e, out);
}

/* }=================================================================== */
