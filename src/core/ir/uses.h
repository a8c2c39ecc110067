/* uses.h: def-use chains, and lists of operands that change their length.
** Every change of an operand has to be reported here. */
#ifndef PH_IR_USES_H
#define PH_IR_USES_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Records that v has got its operands, or is about to lose them. */
void ph_uses_linkall(ph_func *f, uint32_t v);
void ph_uses_unlink(ph_func *f, uint32_t v);
/* Inline, because uses are rarely recorded during construction. */
static inline void ph_uses_link(ph_func *f, uint32_t v) {
  if (f->uses.kept != PH_NO_USES) ph_uses_linkall(f, v);
}
/* Records that operand i of v is about to change, or has changed. */
void ph_uses_unlinkone(ph_func *f, uint32_t v, uint32_t i);
void ph_uses_linkone(ph_func *f, uint32_t v, uint32_t i);
/* Takes the memory for changing operands of existing values to existing ones:
** none is needed then. */
void ph_uses_reserve(ph_func *f);
/* Does what ph_uses_first does, but puts nothing in order before. */
uint32_t ph_uses_find(ph_func *f, uint32_t v);
/* Forgets all uses: the next query finds them. */
void ph_uses_forget(ph_func *f);
/* Makes all uses of v uses of w. */
void ph_uses_join(ph_func *f, uint32_t v, uint32_t w);

/* Loops over the uses of the value of id v. */
#define PH_EACH_USE(f, v, use)                        \
  for (uint32_t use = ph_uses_find(f, v); (use) != 0; \
       (use) = ph_uses_next(f, ph_valueid(v), use))

/* Appends w to the operands of v. */
void ph_operands_add(ph_func *f, uint32_t v, uint32_t w);
/* Removes the last operand of v. */
void ph_operands_pop(ph_func *f, uint32_t v);

#pragma GCC visibility pop
#endif
