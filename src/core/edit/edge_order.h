/* edge_order.h: lets edges arrive and depart, and changes those out of a block;
** their order at both ends. */
#ifndef PH_EDIT_EDGE_ORDER_H
#define PH_EDIT_EDGE_ORDER_H

#include "core/edit/edge_index.h"
#include "core/ir/body.h"
#include "phial/edit.h"
#pragma GCC visibility push(hidden)

/* All of these require the index. */

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
/* Lets `by` arrive in place of e, with its operands. */
void ph_edge_order_replace(ph_func *f, uint32_t e, uint32_t by);
/* Lets e depart and removes it from the edges out of b. */
void ph_edge_order_drop(ph_func *f, uint32_t b, uint32_t e);
/* Does that for the first edge out of b, and puts the last one in its place.
** The edges are in order (ph_edge_order_source). */
void ph_edge_order_dropfirst(ph_func *f, uint32_t b);

/* Puts the edges out of b in order, and the keys of its switch.  Does not
** require the index. */
void ph_edge_order_source(ph_func *f, uint32_t b);

/*
** {== The edges out of a block =======================================
*/

#define PH_NEWEDGE UINT32_MAX

/* The edges that are to leave a block.  The k-th leads to to[k]; it is the
** existing edge was[k], from 0, which leads there already, or a new one
** (PH_NEWEDGE). */
typedef struct {
  uint32_t n;
  uint32_t *to, *was;
} ph_succs;

/* Makes room for n edges in f->scratch. */
ph_succs ph_succs_room(ph_func *f, uint32_t n);
/* Replaces the edges of b, which are in order, by s.  The phis of their targets
** lose the operands of removed edges, and get those of new ones from `in`. */
void ph_succs_change(ph_func *f, uint32_t b, const ph_succs *s,
                     ph_incomings in);
/* Appends an edge to block `to`. */
void ph_succs_add(ph_func *f, uint32_t b, uint32_t to, ph_incomings in);
/* Redirects the edges of b to `from`: they lead to another block. */
void ph_succs_retarget(ph_func *f, uint32_t b, uint32_t from, uint32_t to,
                       ph_incomings in);

/* }=================================================================== */

#pragma GCC visibility pop
#endif
