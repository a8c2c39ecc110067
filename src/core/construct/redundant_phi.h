/* redundant_phi.h: redundant sets of phis (section 3.2), found by
** dominators. */
#ifndef PH_CONSTRUCT_REDUNDANT_PHI_H
#define PH_CONSTRUCT_REDUNDANT_PHI_H

#include "core/ir/body.h"

/* Replaces phis that no value ever enters: undef. */
#define PH_NOTHING UINT32_MAX

/* Returns by value what replaces a redundant phi (PH_NOTHING: undef), 0 for
** values that are not redundant; NULL if none is.  The array is in a. */
uint32_t *ph_redundant_phi_compute(const ph_func *f, ph_arena *a);

#endif
