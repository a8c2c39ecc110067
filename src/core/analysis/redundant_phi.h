/* redundant_phi.h: redundant sets of phis (section 3.2), found by
** dominators. */
#ifndef PH_ANALYSIS_REDUNDANT_PHI_H
#define PH_ANALYSIS_REDUNDANT_PHI_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Replaces phis that no value ever enters: undef. */
#define PH_NOTHING UINT32_MAX

/* Returns by value what replaces a redundant phi (PH_NOTHING: undef), 0 for
** values that are not redundant; NULL if none is.  The array is in a.
** `unproven`: the numbers of the phis that can be redundant; NULL: any can. */
uint32_t *ph_redundant_phi_tops(const ph_func *f, ph_arena *a,
                                const ph_ids *unproven);

#pragma GCC visibility pop
#endif
