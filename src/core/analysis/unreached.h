/* unreached.h: where a virtual root enters what the entry does not reach. */
#ifndef PH_ANALYSIS_UNREACHED_H
#define PH_ANALYSIS_UNREACHED_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

#define PH_UNREACHED UINT32_MAX

/* A component of unreachable blocks is a first one if no edge enters it. */
typedef struct {
  ph_ids roots;    /* a block of each first component, in ascending order */
  uint32_t *cycle; /* by block: the root of its component if that is a first one
                      and a cycle, else 0 */
  bool *arrives;   /* by edge: true if it has arrived at an unreachable block */
} ph_unreached;

/* Finds the roots.  index, by block: PH_UNREACHED if the entry does not reach
** the block.  The result is in memory of a. */
ph_unreached ph_unreached_find(const ph_func *f, const uint32_t *index,
                               ph_arena *a);

#pragma GCC visibility pop
#endif
