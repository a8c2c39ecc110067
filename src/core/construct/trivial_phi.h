/* trivial_phi.h: trivial phis. */
#ifndef PH_CONSTRUCT_TRIVIAL_PHI_H
#define PH_CONSTRUCT_TRIVIAL_PHI_H

#include "core/construct/state.h"

/* Gives an operandless phi its operands; removes it and every other phi that
** is trivial then. */
void ph_trivial_phi_complete(ph_func *f, uint32_t phi, const uint32_t *args,
                             uint32_t n);
/* The same for a phi whose operands, if one looked them up, would all be v or
** the phi: they are not needed, `args` is for listeners. */
void ph_trivial_phi_settle(ph_func *f, uint32_t phi, uint32_t v,
                           const uint32_t *args);
/* v, which is in no block, is w from now on; removes the phis that become
** trivial by that. */
void ph_trivial_phi_merge(ph_func *f, uint32_t v, uint32_t w);

/* Numbers of phis: no others can be in a redundant set (redundant_phi.c).  NULL:
** any phi can. */
const ph_ids *ph_trivial_phi_unproven(const ph_func *f);
/* Forgets all witnesses: what follows may change phis behind the back of
** this file.  Phis that become trivial by it stay until finish. */
void ph_trivial_phi_forget(ph_func *f);

#endif
