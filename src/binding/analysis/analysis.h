/* analysis.h: analyses, kept until the function changes; the edges between two
** blocks.
*/
#ifndef PL_ANALYSIS_ANALYSIS_H
#define PL_ANALYSIS_ANALYSIS_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

const ph_rpo *pl_analysis_order(pl_funcobj *h);
const ph_domtree *pl_analysis_domtree(pl_funcobj *h);
const ph_loops *pl_analysis_loops(pl_funcobj *h);
const ph_reaching *pl_analysis_reaching(pl_funcobj *h);
const ph_liveness *pl_analysis_liveness(pl_funcobj *h);
const ph_livepoints *pl_analysis_livepoints(pl_funcobj *h);
const ph_needed *pl_analysis_needed(pl_funcobj *h);
const ph_leaving *pl_analysis_leaving(pl_funcobj *h, bool coalesce);
/* Frees what is needed and the locations, unless other analyses are kept with
** them. */
void pl_analysis_forget(pl_funcobj *h);

/* The edges between two blocks, in the order of the first's targets, as they
** were looked for last; zeroed: nothing.  The function must not change. */
typedef struct {
  ph_block from, to;
  uint32_t count; /* the number of edges between them */
  uint32_t edge;  /* the one that was found last, */
  uint32_t nth;   /* and its number among them, from 1 */
} pl_between;

/* Finds the edges from the block at argument 2 to that at argument 3; returns
** their number, at least 1.  nth: argument 4, the number of one of them, or 0
** without it. */
uint32_t pl_between_take(lua_State *L, pl_funcobj *h, pl_between *it,
                         uint32_t *nth);
/* Returns the nth of the edges that were found, from 1.  Asking for one after
** the other takes linear time. */
uint32_t pl_between_nth(pl_between *it, const ph_func *f, uint32_t nth);

#pragma GCC visibility pop
#endif
