/* reaching.h: paths of control flow. */
#ifndef PH_ANALYSIS_REACHING_H
#define PH_ANALYSIS_REACHING_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Returns a shortest path from block `from` to block `to`, inclusive, that
** avoids block `avoid` (0: any path); empty if none exists. */
ph_ids ph_shortest_path_find(const ph_func *f, ph_arena *a, uint32_t from,
                             uint32_t to, uint32_t avoid);

#pragma GCC visibility pop
#endif
