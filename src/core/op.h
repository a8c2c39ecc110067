/* op.h: what the core asks of an op beyond phial.h. */
#ifndef PH_OP_H
#define PH_OP_H

#include "core/func.h"

/* The attached dialect that `op` belongs to; NULL for the ops of phial. */
const ph_attached *ph_op_owner(const ph_func *f, ph_op op);
const ph_attached *ph_op_typeowner(const ph_func *f, ph_type type);
/* What op.def says of operand i, from 0, or with i < 0 of the result; '\0':
** there is no such operand.  Not for ops of dialects. */
char ph_op_letter(ph_op op, int i);
/* The row of a dialect's op. */
const ph_opspec *ph_op_spec(const ph_func *f, ph_op op);

/* What operand i of an op, or its result (i < 0), can be: of one type; or of the
** types of phial in `mask` (1 << PH_I1 | ...), and maybe of any of a dialect.
** Places of one op with the same letter, not 0, have the same type. */
typedef struct {
  ph_type fixed; /* or PH_NOTYPE */
  bool dialects;
  uint16_t mask;
  char letter;
} ph_typing;
ph_typing ph_op_typing(const ph_func *f, ph_op op, int i);
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
