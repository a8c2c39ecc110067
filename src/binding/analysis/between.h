/* between.h: the edges between two blocks. */
#ifndef PL_ANALYSIS_BETWEEN_H
#define PL_ANALYSIS_BETWEEN_H

#include "phial.h"

/* Returns the edge from b to `to` after `edge`, or the first if that is 0; 0: no
** more.  Looks from the end that has fewer edges. */
uint32_t pl_between_next(const ph_func *f, ph_block b, ph_block to,
                         uint32_t edge);

#endif
