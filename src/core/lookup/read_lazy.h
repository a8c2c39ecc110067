/* read_lazy.h: what lazy definitions need besides look-ups. */
#ifndef PH_LOOKUP_READ_LAZY_H
#define PH_LOOKUP_READ_LAZY_H

#include "core/lookup/read_var.h"
#pragma GCC visibility push(hidden)

/* Replaces the incomplete phis of b, which has just been sealed, by its
** refinements; what is left of these remains to be found. */
void ph_read_lazy_seal(ph_func *f, uint32_t b);
/* Looks up what lazy values were made of. */
void ph_read_lazy_settle(ph_func *f);

#pragma GCC visibility pop
#endif
