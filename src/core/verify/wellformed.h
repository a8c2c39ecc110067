/* wellformed.h: are a function's lists whole? */
#ifndef PH_VERIFY_WELLFORMED_H
#define PH_VERIFY_WELLFORMED_H

#include "core/verify/report.h"

/* Checks the lists of blocks and edges, and that every id is in range.  When
** nothing is reported, it is safe to walk the function.  By value: its
** position in its block, phis first, from 1; 0: it is in none. */
const uint32_t *ph_wellformed_check(ph_problems *p);
/* Compares the recorded uses, if there are any, with the operands. */
void ph_wellformed_uses(ph_problems *p, const uint32_t *position);

#endif
