/* read_var.h: the look-up of a variable from the end of a block upwards
** (readVariableRecursive, Algorithm 2). */
#ifndef PH_LOOKUP_READ_VAR_H
#define PH_LOOKUP_READ_VAR_H

#include "core/lookup/climb.h"
#include "core/lookup/trivial_phi.h"
#pragma GCC visibility push(hidden)

/* Continues a look-up from where its first climb ended. */
uint32_t ph_read_var_search(ph_func *f, uint32_t var, ph_landing l);
/* True if what was found is not a value: 0, PH_MARK, PH_LAZY or PH_KILLED. */
static inline bool ph_read_var_isopen(uint32_t found) { return found + 3 <= 3; }
/* Returns the result of a look-up whose first climb ended at l. */
static inline uint32_t ph_read_var_result(ph_func *f, uint32_t var,
                                          ph_landing l) {
  if (ph_read_var_isopen(l.found)) return ph_read_var_search(f, var, l);
  return ph_body_resolve(f, l.found & ~PH_MEMO);
}
/* Returns the value of var at the end of block b: a look-up that construction
** needs, for the operand of a phi. */
uint32_t ph_read_var_lookup(ph_func *f, uint32_t var, uint32_t b);

#pragma GCC visibility pop
#endif
