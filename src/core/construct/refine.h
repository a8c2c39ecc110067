/* refine.h: refinements of sealed blocks; what finish does with lazy
** definitions. */
#ifndef PH_CONSTRUCT_REFINE_H
#define PH_CONSTRUCT_REFINE_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Replaces the incomplete phis of b, which has just been sealed, by its
** refinements, and puts blocks on those edges into b that need one. */
void ph_refine_seal(ph_func *f, uint32_t b);
/* Removes those of these blocks that have nothing but a jump. */
void ph_refine_unsplit(ph_func *f);
/* Sorts values of lazy definitions at the same place by variable.  f has lazy
** definitions, and is under construction. */
void ph_refine_order(ph_func *f);

#pragma GCC visibility pop
#endif
