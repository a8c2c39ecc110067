/* succs.c: changes the edges that leave a block.
**
** Edges are stored where they leave: those of a block are contiguous, in the
** order of its terminator's targets.  Where they arrive they are chained, in
** the order of the operands of phis.  So an edge that stays, but gets another
** number, takes its own place in the chain, and phis need not change; a removed
** edge takes an operand from each phi; a new one comes last.  Only if several
** edges join the same two blocks must their order be the same at both ends,
** since text distinguishes them by nothing else: then they exchange their
** places.
**
** Runs of edges grow as lists of operands do (operands.c): one that becomes
** longer moves to the end with room to spare, and a free edge leaves block 0.
**
** The cost is that of the edges of the block and of the chains in which one of
** them changes, and of the phis there if an edge is removed.
**
** Requires: the block has its edges (it was not dead when it was filled), or
** none of them stays.  Keeps: operands in step with edges; uses.
*/
#include "core/ir/succs.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/idset.h"
#include "core/ir/block.h"
#include "core/ir/operands.h"
#include "core/ir/value.h"

typedef struct {
  ph_func *f;
  ph_arena *a;
  uint32_t b;
  uint32_t first, n; /* range of the old edges */
  uint32_t base;     /* index of the first new edge */
  uint32_t *fate;    /* by old edge, from 0: its new index; 0: it is removed */
  ph_ids chained;    /* chains to rebuild, each after its target and length */
} change;

ph_succs ph_succs_room(ph_func *f, uint32_t n) {
  ph_succs s = {n, NULL, NULL};
  s.to = ph_arena_alloc(&f->scratch, 2 * (n + 1) * sizeof(uint32_t));
  s.was = s.to + n + 1;
  return s;
}

ph_succs ph_succs_same(ph_func *f, uint32_t b) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  ph_succs s = ph_succs_room(f, block->nsuccs + 1);
  assert((!block->inert || block->nsuccs == 0) && "edges that have arrived");
  s.n = block->nsuccs;
  for (uint32_t i = 0; i < s.n; i++) {
    s.to[i] = f->edges.at[block->first_succ + i].to;
    s.was[i] = i;
  }
  return s;
}

/*
** {== Room ===========================================================
*/

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

/* }== Old edges ====================================================== */

static uint32_t fate_of(const change *c, uint32_t e) {
  return e - c->first < c->n ? c->fate[e - c->first] : e;
}

static bool is_gone(const void *ud, uint32_t e) { return fate_of(ud, e) == 0; }

static void decide_fates(change *c, const ph_succs *s) {
  c->fate = ph_arena_zero(c->a, (c->n + 1) * sizeof(uint32_t));
  for (uint32_t k = 0; k < s->n; k++)
    if (s->was[k] != PH_NEWEDGE) c->fate[s->was[k]] = c->base + k;
}

static void unlink_gone(change *c) {
  ph_idset seen = {0};
  for (uint32_t e = c->first; e < c->first + c->n; e++) {
    uint32_t to = c->f->edges.at[e].to;
    if (is_gone(c, e) && ph_idset_add(&seen, c->a, to))
      ph_block_unlink(c->f, to, is_gone, c);
  }
}

/* Records the chain into t: t, its length, its edges as they will be. */
static void note_chain(change *c, uint32_t t) {
  ph_ids_push(&c->chained, c->a, t);
  ph_ids_push(&c->chained, c->a, ph_blockrec_of(c->f, t)->npreds);
  PH_EACH_PRED(c->f, t, e) ph_ids_push(&c->chained, c->a, fate_of(c, e));
}

static void note_chains(change *c) {
  ph_idset seen = {0};
  for (uint32_t e = c->first; e < c->first + c->n; e++) {
    bool stays = is_gone(c, e) || fate_of(c, e) == e;
    if (!stays && ph_idset_add(&seen, c->a, c->f->edges.at[e].to))
      note_chain(c, c->f->edges.at[e].to);
  }
}

static void chain_again(change *c) {
  const uint32_t *at = c->chained.at;
  for (uint32_t i = 0; i < c->chained.n;) {
    ph_blockrec *t = ph_blockrec_of(c->f, at[i]);
    uint32_t n = at[i + 1];
    t->first_pred = t->last_pred = t->npreds = 0;
    for (i += 2; n > 0; n--) ph_block_arrive(c->f, at[i++]);
  }
}

/* }== New edges ====================================================== */

/* Writes the new edges.  One that keeps its index keeps its place in its
** chain. */
static void write_edges(change *c, const ph_succs *s) {
  const ph_edge none = {0};
  ph_edge *at = c->f->edges.at + c->base;
  for (uint32_t k = 0; k < s->n; k++) {
    const ph_edge e = {c->b, s->to[k], 0};
    if (s->was[k] == PH_NEWEDGE || c->first + s->was[k] != c->base + k)
      at[k] = e;
  }
  if (c->base == c->first)
    for (uint32_t k = s->n; k < c->n; k++) at[k] = none;
}

static int by_phi(const void *p, const void *q) {
  const ph_incoming *a = p, *b = q;
  return (a->phi.id > b->phi.id) - (a->phi.id < b->phi.id);
}

static ph_incoming *sorted(change *c, const ph_incoming *in, uint32_t n) {
  ph_incoming *copy = ph_arena_alloc(c->a, (n + 1) * sizeof *copy);
  for (uint32_t i = 0; i < n; i++) {
    copy[i].phi = ph_value_resolve(c->f, in[i].phi);
    copy[i].value = ph_value_resolve(c->f, in[i].value);
  }
  qsort(copy, n, sizeof *copy, by_phi);
  return copy;
}

static void arrive(change *c, uint32_t e, const ph_incoming *in, uint32_t n) {
  ph_block_arrive(c->f, e);
  PH_EACH_PHI(c->f, c->f->edges.at[e].to, phi) {
    const ph_incoming key = {{phi}, {0}};
    const ph_incoming *it = bsearch(&key, in, n, sizeof *in, by_phi);
    assert(it != NULL && "a value for each phi of the target");
    ph_operands_add(c->f, phi, it->value.id);
  }
}

static void arrive_all(change *c, const ph_succs *s, const ph_incoming *in,
                       uint32_t n) {
  in = sorted(c, in, n);
  for (uint32_t k = 0; k < s->n; k++)
    if (s->was[k] == PH_NEWEDGE) arrive(c, c->base + k, in, n);
}

/* }== Order ========================================================== */

/* An edge from the block in the chain of a target: its place there, and the
** operand of one phi for it. */
typedef struct {
  uint32_t place, edge, arg;
} arrival;

typedef struct {
  arrival *at;
  uint32_t n;
} arrivals;

static arrivals find_arrivals(change *c, uint32_t t) {
  uint32_t most = ph_blockrec_of(c->f, t)->npreds, place = 0;
  arrivals found = {ph_arena_alloc(c->a, (most + 1) * sizeof(arrival)), 0};
  PH_EACH_PRED(c->f, t, e) {
    const arrival a = {place++, e, 0};
    if (c->f->edges.at[e].from == c->b) found.at[found.n++] = a;
  }
  return found;
}

static bool is_in_order(const arrivals *as) {
  for (uint32_t i = 1; i < as->n; i++)
    if (as->at[i].edge < as->at[i - 1].edge) return false;
  return true;
}

static int by_edge(const void *p, const void *q) {
  const arrival *a = p, *b = q;
  return (a->edge > b->edge) - (a->edge < b->edge);
}

/* Gives edge i of `sorted` the i-th of the places in a phi. */
static void exchange_args(change *c, uint32_t phi, const arrivals *as,
                          arrival *sorted) {
  for (uint32_t i = 0; i < as->n; i++)
    sorted[i].arg = ph_body_operand(c->f, phi, sorted[i].place);
  for (uint32_t i = 0; i < as->n; i++)
    ph_value_setarg(c->f, phi, as->at[i].place, sorted[i].arg);
}

static void exchange_edges(change *c, uint32_t t, const arrivals *as,
                           const arrival *sorted) {
  uint32_t *edges;
  c->chained.n = 0; /* its edges from c->b are overwritten below */
  note_chain(c, t);
  edges = c->chained.at + 2;
  for (uint32_t i = 0; i < as->n; i++) edges[as->at[i].place] = sorted[i].edge;
  chain_again(c);
}

static void put_in_order(change *c, uint32_t t) {
  arrivals as = find_arrivals(c, t);
  arrival *sorted;
  if (is_in_order(&as)) return;
  sorted = ph_arena_alloc(c->a, as.n * sizeof *sorted);
  memcpy(sorted, as.at, as.n * sizeof *sorted);
  qsort(sorted, as.n, sizeof *sorted, by_edge);
  PH_EACH_PHI(c->f, t, phi) exchange_args(c, phi, &as, sorted);
  exchange_edges(c, t, &as, sorted);
}

/* Restores the order at targets whose edges are new or have other numbers
** now. */
static void put_all_in_order(change *c, const ph_succs *s) {
  ph_idset seen = {0};
  for (uint32_t k = 0; k < s->n; k++) {
    bool same = s->was[k] != PH_NEWEDGE && c->first + s->was[k] == c->base + k;
    if (!same && ph_idset_add(&seen, c->a, s->to[k])) put_in_order(c, s->to[k]);
  }
}

/* }== Together ======================================================= */

void ph_succs_change(ph_func *f, uint32_t b, const ph_succs *s,
                     const ph_incoming *in, uint32_t nin) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  change c = {f, &f->scratch, b,  block->first_succ, block->nsuccs,
              0, NULL,        {0}};
  c.base = find_room(f, b, s->n);
  decide_fates(&c, s);
  unlink_gone(&c);
  note_chains(&c);
  write_edges(&c, s);
  chain_again(&c);
  ph_blockrec_of(f, b)->first_succ = c.base;
  ph_blockrec_of(f, b)->nsuccs = s->n;
  ph_blockrec_of(f, b)->inert = false;
  arrive_all(&c, s, in, nin);
  put_all_in_order(&c, s);
  f->version++;
}

/* Appends an edge that has room: no other edge changes, and the order is
** right. */
static void add_there(ph_func *f, uint32_t b, uint32_t to,
                      const ph_incoming *in, uint32_t nin) {
  const ph_edge e = {b, to, 0};
  ph_blockrec *block = ph_blockrec_of(f, b);
  change c = {f, &f->scratch, b, 0, 0, 0, NULL, {0}};
  uint32_t at = block->first_succ + block->nsuccs++;
  f->edges.at[at] = e;
  arrive(&c, at, sorted(&c, in, nin), nin);
  f->version++;
}

void ph_succs_add(ph_func *f, uint32_t b, uint32_t to, const ph_incoming *in,
                  uint32_t nin) {
  const ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t end = block->first_succ + block->nsuccs;
  ph_succs s;
  if (block->nsuccs > 0 && is_free(f, end, end + 1)) {
    add_there(f, b, to, in, nin);
    return;
  }
  s = ph_succs_same(f, b);
  s.to[s.n] = to;
  s.was[s.n++] = PH_NEWEDGE;
  ph_succs_change(f, b, &s, in, nin);
}

/* }=================================================================== */
