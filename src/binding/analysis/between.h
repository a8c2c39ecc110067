/* between.h: the edges between two blocks, in the order of the first's targets.
*/
#ifndef PL_ANALYSIS_BETWEEN_H
#define PL_ANALYSIS_BETWEEN_H

#include "phial.h"
#pragma GCC visibility push(hidden)

/* What was looked for last; zeroed: nothing.  The function must not change. */
typedef struct {
  ph_block from, to;
  uint32_t count; /* the number of edges between them */
  uint32_t edge;  /* the one that was found last, */
  uint32_t nth;   /* and its number among them, from 1 */
} pl_between;

/* Finds the edges from b to `to`; returns their number. */
uint32_t pl_between_find(pl_between *it, const ph_func *f, ph_block b,
                         ph_block to);
/* Returns the nth of the edges that were found, from 1.  Asking for one after
** the other takes linear time. */
uint32_t pl_between_nth(pl_between *it, const ph_func *f, uint32_t nth);

#pragma GCC visibility pop
#endif
