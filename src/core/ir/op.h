/* op.h: what the core asks of an op beyond phial.h. */
#ifndef PH_IR_OP_H
#define PH_IR_OP_H

#include "core/ir/body.h"

/* The attached dialect that `op` belongs to; NULL for the ops of phial. */
const ph_attached *ph_op_owner(const ph_func *f, ph_op op);
const ph_attached *ph_op_typeowner(const ph_func *f, ph_type type);
/* A type of the dialect's own numbering in that of the function. */
static inline ph_type ph_op_owntype(const ph_attached *a, ph_type t) {
  return t < PH_TYPES ? t : (ph_type)(t - PH_TYPES + a->type);
}
/* Of an op of phial, what op.def says: the letter of the result; those of the
** operands, `*` behind the last when it stands for all that follow. */
char ph_op_result(ph_op op);
const char *ph_op_operands(ph_op op);
/* The row of a dialect's op. */
const ph_opspec *ph_op_spec(const ph_func *f, ph_op op);

/* The op that is the same with its two operands exchanged, or PH_NONE. */
ph_op ph_op_turned(const ph_func *f, ph_op op);

/* Flags of the ops of phial. */
extern const uint8_t ph_op_fixed[];

static inline uint8_t ph_op_flagsof(const ph_func *f, ph_op op) {
  return op < PH_OPS ? ph_op_fixed[op] : f->flags.at[op - PH_OPS];
}
static inline bool ph_op_has(const ph_func *f, ph_op op, uint8_t flag) {
  return (ph_op_flagsof(f, op) & flag) != 0;
}

#endif
