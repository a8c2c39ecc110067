/* edge_order.h: finds edges, lets them arrive and depart; their order at both
** ends. */
#ifndef PH_EDIT_EDGE_ORDER_H
#define PH_EDIT_EDGE_ORDER_H

#include "core/ir/body.h"
#include "phial/edit.h"
#pragma GCC visibility push(hidden)

/* Makes the index if it does not exist, and room for all edges in it.  All
** others of these functions require it unless they say otherwise. */
void ph_edge_order_need(ph_func *f);
/* Puts edges in order and frees the index: to be called before anything but
** core/edit changes edges, or after it in a pass.  Does not require it. */
void ph_edge_order_forget(ph_func *f);

/* Adds the edges into and out of the blocks from `first` on, which it does not
** know, to the index. */
void ph_edge_order_enter(ph_func *f, uint32_t first);

/* Returns the number of edges from one block to another. */
uint32_t ph_edge_order_count(const ph_func *f, uint32_t from, uint32_t to);
/* Returns the n-th of them, from 0, in the order of targets; 0: there are
** fewer. */
uint32_t ph_edge_order_nth(ph_func *f, uint32_t from, uint32_t to, uint32_t n);

/* Returns the position of e, which arrives, among the edges into its target, from 0:
** of the operands of phis there, its own has that index. */
uint32_t ph_edge_order_place(const ph_func *f, uint32_t e);

/* The operands of phis for edges that arrive: resolved, and sorted by phi. */
typedef struct {
  const ph_incoming *at;
  uint32_t n;
} ph_incomings;

/* Returns a copy of `in` in f->scratch. */
ph_incomings ph_edge_order_incomings(ph_func *f, const ph_incoming *in,
                                     uint32_t n);
/* Lets e arrive at its target, as the last edge.  `in` has a value for each phi
** there. */
void ph_edge_order_arrive(ph_func *f, uint32_t e, ph_incomings in);
/* Does that for an edge that is the last one out of its block, too. */
void ph_edge_order_append(ph_func *f, uint32_t e, ph_incomings in);
/* Lets `by` arrive in place of e, with its operands. */
void ph_edge_order_replace(ph_func *f, uint32_t e, uint32_t by);
/* Removes e, along with its operands of phis, from the edges into its
** target. */
void ph_edge_order_depart(ph_func *f, uint32_t e);
/* Lets e depart and removes it from the edges out of b. */
void ph_edge_order_drop(ph_func *f, uint32_t b, uint32_t e);
/* Does that for the first edge out of b, and puts the last one in its place.
** The edges are in order (ph_edge_order_source). */
void ph_edge_order_dropfirst(ph_func *f, uint32_t b);

/* Takes e out of its bundle; adds it again, as the last edge out of its
** block. */
void ph_edge_order_part(ph_func *f, uint32_t e);
void ph_edge_order_rejoin(ph_func *f, uint32_t e);
/* Makes the edges out of b, which are in order, those of block `to`, which has
** none. */
void ph_edge_order_handover(ph_func *f, uint32_t b, uint32_t to);
/* Gives edges other numbers: first + i becomes now[i].  What is 0 has departed
** and becomes free.  A new number is free or among the old ones. */
void ph_edge_order_renumber(ph_func *f, uint32_t first, uint32_t n,
                            const uint32_t *now);
/* Puts the edges out of b in order, and the keys of its switch.  Does not
** require the index. */
void ph_edge_order_source(ph_func *f, uint32_t b);

#pragma GCC visibility pop
#endif
