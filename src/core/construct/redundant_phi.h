/* redundant_phi.h: redundant sets of phis, found by dominators. */
#ifndef PH_CONSTRUCT_REDUNDANT_PHI_H
#define PH_CONSTRUCT_REDUNDANT_PHI_H

#include "core/ir/body.h"

/* What is behind phis that no value ever enters. */
#define PH_NOTHING UINT32_MAX

/* By value: what a redundant phi stands for (PH_NOTHING: undef), 0 for all
** that are not redundant.  NULL when none is. */
uint32_t *ph_redundant_phi_compute(const ph_func *f, ph_arena *a);

#endif
