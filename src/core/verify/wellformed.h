/* wellformed.h: checks that a function's lists can be walked. */
#ifndef PH_VERIFY_WELLFORMED_H
#define PH_VERIFY_WELLFORMED_H

#include "core/verify/report.h"
#pragma GCC visibility push(hidden)

/* Checks the lists of blocks and edges, and that every id is in range.  If it
** reports nothing, it is safe to walk the function.  Returns, by value, its
** position in its block, from 1, phis first; 0: not in a block. */
const uint32_t *ph_wellformed_check(ph_problems *p);
/* Compares the recorded uses, if uses are kept, with the operands. */
void ph_wellformed_uses(ph_problems *p, const uint32_t *position);

#pragma GCC visibility pop
#endif
