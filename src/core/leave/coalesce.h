/* coalesce.h: which values share a location. */
#ifndef PH_LEAVE_COALESCE_H
#define PH_LEAVE_COALESCE_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* True if v can share a location: not a constant, nor an undef. */
static inline bool ph_coalesce_haslocation(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  return n->type != PH_NOTYPE && n->op != PH_CONST && n->op != PH_UNDEF;
}

/* Returns by value the one that represents all with which it shares a location.
** needed: the phis that something needs, by value. */
const uint32_t *ph_coalesce_find(ph_func *f, ph_arena *a, const bool *needed);

#pragma GCC visibility pop
#endif
