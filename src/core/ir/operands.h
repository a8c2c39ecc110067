/* slot.h: lists of operands that change their length. */
#ifndef PH_SLOT_H
#define PH_SLOT_H

#include "core/ir/func.h"

/* w becomes the last operand of v. */
void ph_slot_add(ph_func *f, uint32_t v, uint32_t w);
/* Takes operand i of v away. */
void ph_slot_remove(ph_func *f, uint32_t v, uint32_t i);

#endif
