/* loops.h: the loops of the blocks and how they lie in one another. */
#ifndef PH_ANALYSIS_LOOPS_H
#define PH_ANALYSIS_LOOPS_H

#include "core/ir/body.h"

typedef struct {
  uint32_t header;
  uint32_t parent;      /* the loop around it, or 0 */
  uint32_t depth;       /* 1: no loop is around it */
  uint32_t first, size; /* its blocks: in `blocks` */
  bool reducible;
} ph_looprec;

struct ph_loops {
  uint32_t n;       /* loops are 1 .. n-1, outer ones before inner ones */
  uint32_t nblocks; /* length of `of` and `place` */
  uint32_t *of;     /* by block: the innermost loop around it, or 0 */
  uint32_t *place;  /* by block: in `blocks`, if it is in a loop */
  uint32_t *blocks; /* those of each loop side by side */
  ph_looprec *at;
};

#endif
