/* succs.h: the edges that leave a block change. */
#ifndef PH_IR_SUCCS_H
#define PH_IR_SUCCS_H

#include "core/ir/body.h"

#define PH_NEWEDGE UINT32_MAX

/* The edges that are to leave a block: the k-th leads to to[k]; it is the one
** that was the was[k]-th, from 0, and led there, or with PH_NEWEDGE a new
** one. */
typedef struct {
  uint32_t n;
  uint32_t *to, *was;
} ph_succs;

/* Room for n edges in f->scratch. */
ph_succs ph_succs_room(ph_func *f, uint32_t n);
/* The edges of b as they are, with room for one more. */
ph_succs ph_succs_same(ph_func *f, uint32_t b);
/* Makes b's edges those.  The phis of their targets lose the operands of edges
** that go, and get those of new ones from `in`. */
void ph_succs_change(ph_func *f, uint32_t b, const ph_succs *s,
                     const ph_incoming *in, uint32_t nin);
/* Adds a last one, to block `to`. */
void ph_succs_add(ph_func *f, uint32_t b, uint32_t to, const ph_incoming *in,
                  uint32_t nin);

#endif
