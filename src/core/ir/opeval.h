/* opeval.h: evaluates ops on bits. */
#ifndef PH_IR_OPEVAL_H
#define PH_IR_OPEVAL_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* The kind of an operand or a result: an integer of 1 to 64 bits, or a float of
** 32 or 64.  Width 0: not a number. */
typedef struct {
  uint8_t width;
  bool is_float;
} ph_number;

typedef enum {
  PH_OPEVAL_DONE,
  PH_OPEVAL_TRAPS,  /* the op has no result */
  PH_OPEVAL_UNKNOWN /* this op, or these types, cannot be evaluated */
} ph_folding;

/* Stores in *result what op computes from args, as many as it has.
**
** Bits are those of constants: integers are sign-extended from their width (of
** width 1: 0 or 1); floats, including those of 32 bits, are stored as doubles.
** Of integer operands only the bits of their width count.  `from` is the kind
** of the operands (of select: the last two; of casts: the operand), `to` that
** of the result. */
ph_folding ph_opeval_bits(ph_op op, ph_number from, ph_number to,
                          const uint64_t *args, uint64_t *result);

/* Returns the constant that op computes from n operands; 0 if an operand is not
** a constant or not a number, if the op traps, or if it cannot be evaluated. */
uint32_t ph_opeval_value(ph_func *f, ph_op op, ph_type type,
                         const uint32_t *args, uint32_t n);

#pragma GCC visibility pop
#endif
