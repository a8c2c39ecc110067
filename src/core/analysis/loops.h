/* loops.h: the loops of a function, and how they nest. */
#ifndef PH_ANALYSIS_LOOPS_H
#define PH_ANALYSIS_LOOPS_H

#include "phial/analysis.h"
#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

typedef struct {
  uint32_t header;
  uint32_t parent;      /* the loop around it, or 0 */
  uint32_t depth;       /* 1 for an outermost loop */
  uint32_t first, size; /* range of its blocks in `blocks` */
  bool reducible;
} ph_looprec;

struct ph_loops {
  uint32_t n;       /* loops are 1 .. n-1, outer ones before inner ones */
  uint32_t nblocks; /* length of `of` and `place` */
  uint32_t *of;     /* by block: the innermost loop that contains it, or 0 */
  uint32_t *place;  /* by block: its index in `blocks`, if it is in a loop */
  uint32_t *blocks; /* the blocks of each loop, contiguous */
  ph_looprec *at;   /* by loop */
};

/* Finds the loops of f, in memory of `a`. */
ph_loops *ph_loops_compute(const ph_func *f, ph_arena *a, ph_arena *scratch);

#pragma GCC visibility pop
#endif
