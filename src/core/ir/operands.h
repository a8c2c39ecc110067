/* operands.h: lists of operands that change their length. */
#ifndef PH_IR_OPERANDS_H
#define PH_IR_OPERANDS_H

#include "core/ir/body.h"

/* w becomes the last operand of v. */
void ph_operands_add(ph_func *f, uint32_t v, uint32_t w);
/* Takes operand i of v away. */
void ph_operands_remove(ph_func *f, uint32_t v, uint32_t i);

#endif
