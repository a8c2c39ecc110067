/* split_edge.h: blocks on edges whose refinements would be dropped. */
#ifndef PH_CONSTRUCT_SPLIT_EDGE_H
#define PH_CONSTRUCT_SPLIT_EDGE_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Puts a block on each edge into b, which is being sealed, that refines
** something and is to be split for that, unless it is the only one. */
void ph_split_edge_seal(ph_func *f, uint32_t b);
/* Removes those blocks that have nothing but a jump. */
void ph_split_edge_undo(ph_func *f);

#pragma GCC visibility pop
#endif
