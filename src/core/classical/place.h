/* place.h: where phis go, by algorithm. */
#ifndef PH_CLASSICAL_PLACE_H
#define PH_CLASSICAL_PLACE_H

#include "core/classical/program.h"
#pragma GCC visibility push(hidden)

/* Cytron et al.; Briggs et al.; Choi et al. */
void ph_frontier_place(ph_program *p, ph_classic which);
/* Sreedhar and Gao */
void ph_djgraph_place(ph_program *p);
/* Aycock and Horspool: all phis, of which ph_rename_run leaves some */
void ph_aycock_place(ph_program *p);
/* Brandis and Moessenboeck.  Returns a block at which the control flow is seen
** not to be structured; 0: it is, and phis are placed. */
uint32_t ph_structure_place(ph_program *p);

#pragma GCC visibility pop
#endif
