/* shortest_path.h: paths of control flow. */
#ifndef PH_ANALYSIS_SHORTEST_PATH_H
#define PH_ANALYSIS_SHORTEST_PATH_H

#include "core/ir/body.h"

/* A shortest path from block `from` to block `to` that does not touch block
** `avoid` (0: any path), from its first block to its last; empty when there is
** none. */
ph_ids ph_shortest_path_find(const ph_func *f, ph_arena *a, uint32_t from,
                             uint32_t to, uint32_t avoid);

#endif
