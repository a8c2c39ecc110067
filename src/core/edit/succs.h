/* succs.h: changes the edges that leave a block. */
#ifndef PH_EDIT_SUCCS_H
#define PH_EDIT_SUCCS_H

#include "phial/edit.h"
#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

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
                     const ph_incoming *in, uint32_t nin);
/* Appends an edge to block `to`. */
void ph_succs_add(ph_func *f, uint32_t b, uint32_t to, const ph_incoming *in,
                  uint32_t nin);
/* Redirects the edges of b to `from`: they lead to another block. */
void ph_succs_retarget(ph_func *f, uint32_t b, uint32_t from, uint32_t to,
                       const ph_incoming *in, uint32_t nin);

#pragma GCC visibility pop
#endif
