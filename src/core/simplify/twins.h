/* twins.h: merges phis of a block that have the same operands. */
#ifndef PH_SIMPLIFY_TWINS_H
#define PH_SIMPLIFY_TWINS_H

#include "core/analysis/dom.h"
#pragma GCC visibility push(hidden)

bool ph_twins_exist(ph_func *f);
/* Replaces each phi by the first one of its block that has the same operands.
** Linear.  d: ph_dom_blocks, by whose order operands are merged before phis,
** except those of back edges. */
void ph_twins_merge(ph_func *f, const ph_domtree *d);

#pragma GCC visibility pop
#endif
