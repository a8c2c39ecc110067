/* reads.h: removes reads of memory that has been read or written before. */
#ifndef PH_SIMPLIFY_READS_H
#define PH_SIMPLIFY_READS_H

#include "core/analysis/dom.h"
#pragma GCC visibility push(hidden)

/* Replaces each instruction with the effect READ by a dominating equal one of
** the same version of memory, and a load by what was stored there.  Returns the
** number of those replaced.  d: the dominator tree.  Requires: all blocks are
** filled, sealed and reached. */
uint32_t ph_reads_merge(ph_func *f, const ph_domtree *d);
/* True if the function has instructions with the effect READ. */
bool ph_reads_exist(const ph_func *f);

#pragma GCC visibility pop
#endif
