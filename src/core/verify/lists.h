/* lists.h: whether a function's lists can be followed. */
#ifndef PH_VERIFY_LISTS_H
#define PH_VERIFY_LISTS_H

#include "core/verify/report.h"
#pragma GCC visibility push(hidden)

/* Checks the lists of values and edges, and that every id is in range.  If it
** reports nothing, it is safe to walk the function.  Returns, by value, its
** position in its block, from 1, phis first; 0: it is in no block. */
const uint32_t *ph_lists_check(ph_problems *p, const ph_func *f, ph_arena *a);

#pragma GCC visibility pop
#endif
