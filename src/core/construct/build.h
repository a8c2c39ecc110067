/* build.h: what ends the wait of a block for its predecessors. */
#ifndef PH_CONSTRUCT_BUILD_H
#define PH_CONSTRUCT_BUILD_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Gives the incomplete phis of b, which has just been sealed, their operands, and
** links b to a dominator. */
void ph_build_complete(ph_func *f, uint32_t b);

#pragma GCC visibility pop
#endif
