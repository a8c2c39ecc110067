/* op.h: properties of ops, beyond the public header. */
#ifndef PH_IR_OP_H
#define PH_IR_OP_H

#include "core/ir/body.h"

/* Returns the attached dialect of an op or type; NULL for those of phial. */
const ph_attached *ph_op_owner(const ph_func *f, ph_op op);
const ph_attached *ph_op_typeowner(const ph_func *f, ph_type type);
/* Converts a type from the dialect's own numbering to that of the function. */
static inline ph_type ph_op_owntype(const ph_attached *a, ph_type t) {
  return t < PH_TYPES ? t : (ph_type)(t - PH_TYPES + a->type);
}
/* Return the letters of an op of phial in op.def: that of the result; those of
** the operands, with `*` after the last one if it stands for all that
** follow. */
char ph_op_result(ph_op op);
const char *ph_op_operands(ph_op op);
/* Returns the row of a dialect's op. */
const ph_opspec *ph_op_spec(const ph_func *f, ph_op op);

/* Returns the op that is equivalent with its two operands exchanged, or
** PH_NONE. */
ph_op ph_op_turned(const ph_func *f, ph_op op);

/* By op of phial: its flags. */
extern const uint8_t ph_op_fixed[];

static inline uint8_t ph_op_flagsof(const ph_func *f, ph_op op) {
  return op < PH_OPS ? ph_op_fixed[op] : f->flags.at[op - PH_OPS];
}
static inline bool ph_op_has(const ph_func *f, ph_op op, uint8_t flag) {
  return (ph_op_flagsof(f, op) & flag) != 0;
}

#endif
