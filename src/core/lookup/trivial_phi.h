/* trivial_phi.h: tryRemoveTrivialPhi (Algorithm 3). */
#ifndef PH_LOOKUP_TRIVIAL_PHI_H
#define PH_LOOKUP_TRIVIAL_PHI_H

#include "core/lookup/state.h"
#pragma GCC visibility push(hidden)

/* Gives an operandless phi its n operands; removes it and every other phi that
** is trivial then. */
void ph_trivial_phi_complete(ph_func *f, uint32_t phi, const uint32_t *args,
                             uint32_t n);
/* The same, but no phi is removed. */
void ph_trivial_phi_keep(ph_func *f, uint32_t phi, const uint32_t *args,
                         uint32_t n);
/* Replaces an operandless phi by v.  Its operands, if they were looked up,
** would all be v or the phi itself: `args` is what listeners are told of
** them. */
void ph_trivial_phi_replace(ph_func *f, uint32_t phi, uint32_t v,
                            const uint32_t *args);
/* Replaces v, which is in no block (a pending undef), by w; removes the phis
** that become trivial by that. */
void ph_trivial_phi_merge(ph_func *f, uint32_t v, uint32_t w);

/* Returns the numbers of the phis that can be in a redundant set
** (redundant_phi.c).  NULL: any phi can. */
const ph_ids *ph_trivial_phi_unproven(const ph_func *f);
/* Forgets all witnesses, so that other code may change phis.  Phis that become
** trivial by that stay until finish. */
void ph_trivial_phi_forget(ph_func *f);

#pragma GCC visibility pop
#endif
