/* opcheck.h: what the core asks about operands beyond phial.h. */
#ifndef PH_IR_OPCHECK_H
#define PH_IR_OPCHECK_H

#include "core/ir/body.h"

/* What op.def says of operand i, from 0, or with i < 0 of the result; '\0':
** there is no such operand.  Not for ops of dialects. */
char ph_opcheck_letter(ph_op op, int i);

/* What operand i of an op, or its result (i < 0), can be: of one type; or of
** the types of phial in `mask` (1 << PH_I1 | ...), and maybe of any of a
** dialect.  Places of one op with the same letter, not 0, have the same
** type. */
typedef struct {
  ph_type fixed; /* or PH_NOTYPE */
  bool dialects;
  uint16_t mask;
  char letter;
} ph_typing;
ph_typing ph_opcheck_typing(const ph_func *f, ph_op op, int i);

#endif
