/* op.h: what the core asks of an op beyond phial.h. */
#ifndef PH_OP_H
#define PH_OP_H

#include "core/func.h"

/* The attached dialect that `op` belongs to; NULL for the ops of phial. */
const ph_attached *ph_op_owner(const ph_func *f, ph_op op);
/* The row of a dialect's op. */
const ph_opspec *ph_op_spec(const ph_func *f, ph_op op);

static inline bool ph_op_has(const ph_func *f, ph_op op, uint8_t flag) {
  return (ph_op_flags(f, op) & flag) != 0;
}

#endif
