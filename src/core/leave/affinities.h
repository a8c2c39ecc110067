/* affinities.h: pairs of values that had better share a location. */
#ifndef PH_LEAVE_AFFINITIES_H
#define PH_LEAVE_AFFINITIES_H

#include "core/analysis/loops.h"
#include "core/analysis/rpo.h"
#include "core/base/vec.h"
#include "core/leave/live_ranges.h"
#pragma GCC visibility push(hidden)

/* A phi and one of its operands, or a copy and its operand. */
typedef struct {
  uint32_t result, operand;
  uint32_t weight; /* see affinities.c */
} ph_affinity;

PH_VEC(ph_affinities, ph_affinity)

/* True if v can share a location: not a constant, nor an undef. */
static inline bool ph_affinities_haslocation(const ph_func *f, uint32_t v) {
  const ph_node *n = ph_node_of(f, v);
  return n->type != PH_NOTYPE && n->op != PH_CONST && n->op != PH_UNDEF;
}

/* Returns the pairs of f, those first that save the most moves. */
ph_affinities ph_affinities_find(const ph_func *f, ph_arena *a,
                                 const ph_domtree *dom, const ph_loops *loops,
                                 const bool *needed);

#pragma GCC visibility pop
#endif
