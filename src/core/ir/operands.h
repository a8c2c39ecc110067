/* operands.h: lists of operands that change their length. */
#ifndef PH_IR_OPERANDS_H
#define PH_IR_OPERANDS_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Appends w to the operands of v. */
void ph_operands_add(ph_func *f, uint32_t v, uint32_t w);
/* Removes the last operand of v. */
void ph_operands_pop(ph_func *f, uint32_t v);

#pragma GCC visibility pop
#endif
