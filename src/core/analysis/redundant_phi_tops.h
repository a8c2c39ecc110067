/* redundant_phi_tops.h: redundant sets of phis (section 3.2), found by
** dominators. */
#ifndef PH_ANALYSIS_REDUNDANT_PHI_TOPS_H
#define PH_ANALYSIS_REDUNDANT_PHI_TOPS_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Replaces phis that no value ever enters: undef. */
#define PH_NOTHING UINT32_MAX

/* Returns what v is at run time: v, or if construction has made that as a
** refinement, the first value below that is none.  Of refinements in a cycle
** that nothing enters, it is one of them.  *bases, in a, is empty at first. */
uint32_t ph_redundant_phi_base(const ph_func *f, ph_ids *bases, ph_arena *a,
                               uint32_t v);

/* Returns by value what replaces a redundant phi (PH_NOTHING: undef), 0 for
** values that are not redundant; NULL if none is.  The array is in a.
** `unproven`: the numbers of the phis that can be redundant; NULL: any can. */
uint32_t *ph_redundant_phi_tops(const ph_func *f, ph_arena *a,
                                const ph_ids *unproven);

#pragma GCC visibility pop
#endif
