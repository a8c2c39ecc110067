/* loops.h: the loops of a function, and how they nest. */
#ifndef PH_ANALYSIS_LOOPS_H
#define PH_ANALYSIS_LOOPS_H

#include "core/ir/body.h"
#include "phial/analysis.h"
#pragma GCC visibility push(hidden)

/* Finds the loops of f, in memory of `a`. */
ph_loops *ph_loops_compute(const ph_func *f, ph_arena *a, ph_arena *scratch);

#pragma GCC visibility pop
#endif
