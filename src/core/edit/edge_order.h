/* edge_order.h: lets edges arrive and depart; their order at both ends. */
#ifndef PH_EDIT_EDGE_ORDER_H
#define PH_EDIT_EDGE_ORDER_H

#include "core/edit/edge_index.h"
#include "phial/edit.h"
#pragma GCC visibility push(hidden)

/* All of these require the index. */

/* Lets e arrive at its target, as the last edge.  `in` is sorted by phi
** (ph_edge_order_incoming) and has a value for each phi there. */
void ph_edge_order_arrive(ph_func *f, uint32_t e, const ph_incoming *in,
                          uint32_t n);
/* Returns a copy of `in` in f->scratch, resolved and sorted. */
const ph_incoming *ph_edge_order_incoming(ph_func *f, const ph_incoming *in,
                                          uint32_t n);
/* Removes e, along with its operands of phis, from the edges into its
** target. */
void ph_edge_order_depart(ph_func *f, uint32_t e);
/* Lets `by` arrive in place of e, with its operands. */
void ph_edge_order_replace(ph_func *f, uint32_t e, uint32_t by);
/* Lets e depart and removes it from the edges out of b. */
void ph_edge_order_drop(ph_func *f, uint32_t b, uint32_t e);
/* Does that for the first edge out of b, and puts the last one in its place.
** The edges are in order (ph_edge_order_source). */
void ph_edge_order_dropfirst(ph_func *f, uint32_t b);

/* Takes e out of its bundle; adds it again, with another order among the edges
** out of its block. */
void ph_edge_order_part(ph_func *f, uint32_t e);
void ph_edge_order_rejoin(ph_func *f, uint32_t e, uint64_t out);

/* Puts the edges out of b in order, and the keys of its switch.  Does not
** require the index. */
void ph_edge_order_source(ph_func *f, uint32_t b);

#pragma GCC visibility pop
#endif
