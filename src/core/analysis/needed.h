/* needed.h: the values that something needs, and how often code uses them. */
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

/* Uses of a value by needed ones, in the block that computes it and in
** others. */
typedef struct {
  uint32_t near, far;
} ph_use_count;

/* Returns what ph_needed_find does for the code of f, as emitters write it, and
** stores in *counts, by value and in `a`, how often it uses each.  That code
** - has the blocks that the entry reaches, and phis with their operands over the
**   edges from these;
** - runs ops of dialects in any case, and has the projections of an instruction
**   next to it: they are needed, and not uses of it;
** - uses the first operand of a refinement only, which is its value. */
bool *ph_needed_count(const ph_func *f, ph_arena *a, const ph_rpo *o,
                      ph_use_count **counts);

#pragma GCC visibility pop
#endif
