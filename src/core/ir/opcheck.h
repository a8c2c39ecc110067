/* opcheck.h: operands of ops, beyond the public header. */
#ifndef PH_IR_OPCHECK_H
#define PH_IR_OPCHECK_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Returns the letter in op.def of operand i, from 0, or of the result if i < 0;
** '\0' if the op has no such operand.  Not for ops of dialects. */
char ph_opcheck_letter(ph_op op, int i);

/* The types that operand i of an op, or its result (i < 0), can have: only
** `fixed`; or the types of phial in `mask` (1 << PH_I1 | ...) and, if
** `dialects`, any type of a dialect.  Positions of one op with the same letter,
** not 0, have the same type. */
typedef struct {
  ph_type fixed; /* or PH_NOTYPE */
  bool dialects;
  uint16_t mask;
  char letter;
} ph_typing;
ph_typing ph_opcheck_typing(const ph_func *f, ph_op op, int i);

/* What a host must keep to: see contract.h. */

/* Returns what an operand must be according to a PH_WANTS_..., "an integer";
** NULL: it is another mismatch. */
const char *ph_opcheck_wanted(ph_mismatch_kind kind);
/* True if f has the op, and it is neither a terminator, a phi, nor PH_LEAF. */
bool ph_opcheck_isinst(const ph_func *f, ph_op op);
/* True if the values fit the op, with a result of this type. */
bool ph_opcheck_fits(const ph_func *f, ph_op op, ph_type type,
                     const ph_value *args, uint32_t n);
/* True if an instruction of this op may be put into block b of f. */
static inline bool ph_opcheck_fitsblock(const ph_func *f, ph_op op,
                                        uint32_t b) {
  return (op != PH_ALLOCA || b == 1) &&
         (op != PH_VA_START || f->options.variadic);
}
/* True if the operands of v still fit when w is operand i. */
bool ph_opcheck_fitsas(ph_func *f, ph_value v, uint32_t i, ph_value w);
/* True if an op with n operands takes m targets. */
bool ph_opcheck_fittargets(const ph_func *f, ph_op op, uint32_t n, uint32_t m);
/* True if the operands of a switch except the first are distinct constants. */
bool ph_opcheck_fitkeys(ph_func *f, const ph_value *args, uint32_t n);

#pragma GCC visibility pop
#endif
