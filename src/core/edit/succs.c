/* succs.c: changes the edges that leave a block.
**
** Edges are stored where they leave: those of a block are contiguous, one for
** each of its terminator's targets.  Where they arrive they are chained, one
** for each operand of the phis (edge_order.c).  So an edge that stays, but gets
** another number, keeps its place in the chain, and phis need not change.
**
** Runs of edges grow as lists of operands do (operands.c): one that becomes
** longer moves to the end with room to spare, and a free edge leaves block 0.
**
** Requires: the edges that stay have arrived.  Keeps: operands in step with edges; uses.
*/
#include "core/edit/succs.h"

#include <assert.h>

#include "core/edit/edge_order.h"

ph_succs ph_succs_room(ph_func *f, uint32_t n) {
  ph_succs s = {n, NULL, NULL};
  s.to = ph_arena_alloc(&f->scratch, 2 * (n + 1) * sizeof(uint32_t));
  s.was = s.to + n + 1;
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

/* Makes edge e, the last one of b in order, to block `to`; `in` is sorted. */
static void make_edge(ph_func *f, uint32_t e, uint32_t b, uint32_t to,
                      const ph_incoming *in, uint32_t nin) {
  f->edges.at[e] = (ph_edge){b, to, 0};
  ph_edge_index_at(f, e)->out = ++f->edge_index->clock;
  ph_edge_order_arrive(f, e, in, nin);
}

/* }== Changing all =================================================== */

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
    if (now[i] == 0 && !ph_body_iscut(f, first + i))
      ph_edge_order_depart(f, first + i);
  ph_edge_index_renumber(f, first, n, now);
}

/* Orders the edges of b, which start at `base`, as they are stored. */
static void order(ph_func *f, uint32_t b, uint32_t base, const ph_succs *s,
                  const ph_incoming *in, uint32_t nin) {
  for (uint32_t k = 0; k < s->n; k++)
    if (s->was[k] != PH_NEWEDGE) ph_edge_order_part(f, base + k);
  for (uint32_t k = 0; k < s->n; k++)
    if (s->was[k] == PH_NEWEDGE)
      make_edge(f, base + k, b, s->to[k], in, nin);
    else
      ph_edge_order_rejoin(f, base + k, ++f->edge_index->clock);
}

void ph_succs_change(ph_func *f, uint32_t b, const ph_succs *s,
                     const ph_incoming *in, uint32_t nin) {
  uint32_t base = find_room(f, b, s->n);
  ph_edge_index_need(f);
  move_old(f, b, new_numbers(f, b, base, s));
  ph_blockrec_of(f, b)->first_succ = base;
  ph_blockrec_of(f, b)->nsuccs = s->n;
  ph_blockrec_of(f, b)->inert = false;
  order(f, b, base, s, ph_edge_order_incoming(f, in, nin), nin);
  f->version++;
}

/* }== Changing some ================================================== */

/* Makes room for one more edge of b behind its others. */
static void widen(ph_func *f, uint32_t b) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  uint32_t base = find_room(f, b, block->nsuccs + 1), *now;
  ph_edge_index_need(f);
  if (base == block->first_succ) return;
  now = ph_arena_alloc(&f->scratch, (block->nsuccs + 1) * sizeof *now);
  for (uint32_t i = 0; i < block->nsuccs; i++) now[i] = base + i;
  ph_edge_index_renumber(f, block->first_succ, block->nsuccs, now);
  block->first_succ = base;
}

void ph_succs_add(ph_func *f, uint32_t b, uint32_t to, const ph_incoming *in,
                  uint32_t nin) {
  ph_blockrec *block = ph_blockrec_of(f, b);
  widen(f, b);
  make_edge(f, block->first_succ + block->nsuccs++, b, to,
            ph_edge_order_incoming(f, in, nin), nin);
  block->inert = false;
  f->version++;
}

void ph_succs_retarget(ph_func *f, uint32_t b, uint32_t from, uint32_t to,
                       const ph_incoming *in, uint32_t nin) {
  uint32_t e;
  ph_edge_index_need(f);
  in = ph_edge_order_incoming(f, in, nin);
  while ((e = ph_edge_index_nth(f, b, from, 0)) != 0) {
    ph_edge_order_depart(f, e);
    f->edges.at[e].to = to;
    ph_edge_order_arrive(f, e, in, nin);
  }
  f->version++;
}

/* }=================================================================== */
