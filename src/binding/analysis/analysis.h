/* analysis.h: analyses, kept until the function changes. */
#ifndef PL_METHODS_ANALYSIS_H
#define PL_METHODS_ANALYSIS_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

const ph_rpo *pl_analysis_order(pl_funcobj *h);
const ph_domtree *pl_analysis_domtree(pl_funcobj *h);
const ph_loops *pl_analysis_loops(pl_funcobj *h);
const ph_reaching *pl_analysis_reaching(pl_funcobj *h);
const ph_leaving *pl_analysis_leaving(pl_funcobj *h, bool coalesce);

#pragma GCC visibility pop
#endif
