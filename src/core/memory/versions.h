/* versions.h: which write an instruction sees: memory SSA. */
#ifndef PH_MEMORY_VERSIONS_H
#define PH_MEMORY_VERSIONS_H

#include "core/analysis/dom.h"
#pragma GCC visibility push(hidden)

/* True if v may write memory. */
bool ph_versions_writes(const ph_func *f, uint32_t v);
/* Returns the version of memory at the start of each block that the entry
** reaches: 0 is what the function is called with; the id of an instruction that
** writes, what it leaves; and f->nodes.n + b, a phi of memory in block b, which
** is nowhere else.  Where two versions are equal, memory is, provided that one
** place dominates the other.  Requires: the dominator tree of f. */
uint32_t *ph_versions_compute(const ph_func *f, const ph_domtree *d,
                              ph_arena *a);

#pragma GCC visibility pop
#endif
