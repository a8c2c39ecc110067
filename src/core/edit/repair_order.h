/* repair_order.h: definitions and uses of a variable, in order. */
#ifndef PH_EDIT_REPAIR_ORDER_H
#define PH_EDIT_REPAIR_ORDER_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* The order that is counted from. */
#define PH_MENTION_MIDDLE UINT32_C(0x80000000)

/* A definition (value != 0) or a use of the variable. */
typedef struct {
  uint32_t block;
  uint32_t inst;  /* it is behind, or the use is an operand of, this one; 0: at
                     the start of the block */
  uint32_t value; /* that the variable is from here on, or 0 */
  uint32_t index; /* of a use: which operand; of a definition: its number, by
                     which later ones at the same place come later */
  uint32_t order; /* within the block; 0 at its start, else at first
                     PH_MENTION_MIDDLE */
} ph_mention;
PH_VEC(ph_mentions, ph_mention)

/* Sorts them by block, and as they come in it; uses of an instruction come
** before definitions behind it.  Uses in blocks without definitions are in no
** particular order. */
void ph_repair_order(const ph_func *f, ph_mentions *all, ph_arena *a);

#pragma GCC visibility pop
#endif
