/* make_lazy.h: makes values of lazy definitions. */
#ifndef PH_LOOKUP_MAKE_LAZY_H
#define PH_LOOKUP_MAKE_LAZY_H

#include "core/lookup/climb.h"
#pragma GCC visibility push(hidden)

/* Returns the lazy definitions of f, created if necessary. */
ph_lazy *ph_make_lazy_room(ph_func *f);
/* Makes the values that var has by the lazy definitions of b and stores the
** last one as what var is there; returns it.  What the first one needs is
** looked up later (read_lazy.h). */
uint32_t ph_make_lazy_values(ph_func *f, uint32_t var, uint32_t b);
/* Makes a refinement of variable var at the start of b by record i. */
uint32_t ph_make_lazy_refine(ph_func *f, uint32_t var, uint32_t b, uint32_t i);

#pragma GCC visibility pop
#endif
