/* contract.h: what the public headers of edits require of a host. */
#ifndef PH_EDIT_CONTRACT_H
#define PH_EDIT_CONTRACT_H

#include "core/ir/contract.h"
#include "core/ir/value.h"
#include "phial/edit.h"
#include "phial/repair.h"

/* True if they are blocks that edges may lead to. */
static inline bool ph_contract_fittargets(const ph_func *f,
                                          const ph_block *targets, uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (targets == NULL || !ph_contract_keeps(f, targets[i]) ||
        targets[i].id == 1)
      return false;
  return true;
}
/* True if each phi gets a value of its type. */
static inline bool ph_contract_fitphis(const ph_func *f, const ph_incoming *in,
                                       uint32_t n) {
  for (uint32_t i = 0; i < n; i++) {
    const ph_node *phi, *value;
    if (in == NULL || !ph_contract_hasvalue(f, in[i].phi) ||
        !ph_contract_hasvalue(f, in[i].value))
      return false;
    phi = ph_node_of(f, ph_body_resolve(f, in[i].phi.id));
    value = ph_node_of(f, ph_body_resolve(f, in[i].value.id));
    if (phi->op != PH_PHI || phi->type != value->type) return false;
  }
  return true;
}
/* True if they are parameters, phis or instructions, with results of one
** type. */
static inline bool ph_contract_canvary(const ph_func *f, const ph_value *values,
                                       uint32_t n) {
  if (!ph_contract_hasvalues(f, values, n)) return false;
  for (uint32_t i = 0; i < n; i++) {
    const ph_node *v = ph_node_of(f, ph_body_resolve(f, values[i].id));
    if (v->block == 0 && v->op != PH_PARAM) return false;
    if (v->type == PH_NOTYPE || v->type != ph_value_type(f, values[0]))
      return false;
  }
  return true;
}
/* True if the place of a definition is in a block. */
static inline bool ph_contract_isplace(const ph_func *f,
                                       const ph_definition *d) {
  if (ph_some(d->block)) return ph_contract_keeps(f, d->block);
  return ph_contract_hasvalues(f, &d->behind, 1) &&
         ph_some(ph_value_block(f, d->behind));
}
/* True if they are definitions of a variable of that type. */
static inline bool ph_contract_fitdefinitions(const ph_func *f, ph_type type,
                                              const ph_definition *defs,
                                              uint32_t n) {
  for (uint32_t i = 0; i < n; i++)
    if (defs == NULL || !ph_contract_isplace(f, &defs[i]) ||
        !ph_contract_hasvalues(f, &defs[i].value, 1) ||
        ph_value_type(f, defs[i].value) != type)
      return false;
  return true;
}

#endif
