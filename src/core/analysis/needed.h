/* needed.h: the values that something needs. */
#ifndef PH_ANALYSIS_NEEDED_H
#define PH_ANALYSIS_NEEDED_H

#include "core/analysis/rpo.h"
#pragma GCC visibility push(hidden)

/* True if v, a phi or an instruction, is needed even if nothing uses it. */
typedef bool ph_needed_root(const ph_func *f, uint32_t v);

/* True if running `op` matters, whether its result is used or not. */
bool ph_needed_acts(const ph_func *f, ph_op op);

/* Returns, by value and in `a`, whether it is needed: it is a root in a block
** that counts (ph_rpo_counts), or an operand of what is needed. */
bool *ph_needed_find(const ph_func *f, ph_arena *a, const ph_rpo *o,
                     ph_needed_root *is_root);

#pragma GCC visibility pop
#endif
