/* opeval.h: what the ops compute, on bits. */
#ifndef PH_IR_OPEVAL_H
#define PH_IR_OPEVAL_H

#include "core/ir/body.h"

/* What an operand or a result is: an integer of 1 to 64 bits, or a float of
** 32 or 64.  Width 0: nothing that is computed with. */
typedef struct {
  uint8_t width;
  bool is_float;
} ph_number;

typedef enum {
  PH_OPEVAL_DONE,
  PH_OPEVAL_TRAPS,  /* it has no result */
  PH_OPEVAL_UNKNOWN /* this op, or these types, are none of ours */
} ph_folding;

/* What op computes of args, as many as it has, into *result.
**
** Bits are as constants keep them: integers sign-extended from their width,
** of width 1: 0 or 1; floats, also those of 32 bits, as a double.  Of integer
** operands only the bits of their width count.  `from` is what the operands
** are (of select: the last two, of casts: the operand), `to` the result. */
ph_folding ph_opeval_bits(ph_op op, ph_number from, ph_number to,
                          const uint64_t *args, uint64_t *result);

/* The constant that op gives for n operands, all constants; 0 when it is
** none: an operand is no number, it traps, it is no op that computes. */
uint32_t ph_opeval_value(ph_func *f, ph_op op, ph_type type,
                         const uint32_t *args, uint32_t n);

#endif
