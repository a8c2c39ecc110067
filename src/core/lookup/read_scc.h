/* read_scc.h: what the SCC variant does with the blocks that a look-up enters
** (section 3.3).
*/
#ifndef PH_LOOKUP_READ_SCC_H
#define PH_LOOKUP_READ_SCC_H

#include "core/lookup/state.h"
#pragma GCC visibility push(hidden)

/* Makes b, whose predecessors or `up` must be looked up, the innermost node of
** the search, with a frame. */
void ph_read_scc_enter(ph_func *f, uint32_t var, uint32_t b);
/* Returns the result for b, which contains a mark: its node. */
uint32_t ph_read_scc_marked(ph_func *f, uint32_t var, uint32_t b);
/* Passes a result, a value or a node, to the nodes that wait for it.  Returns
** the answer of the whole look-up, whose frames are those from `bottom` on, or
** 0 if a node has another predecessor to look up. */
uint32_t ph_read_scc_handback(ph_func *f, uint32_t var, uint32_t bottom,
                              uint32_t result);

#pragma GCC visibility pop
#endif
