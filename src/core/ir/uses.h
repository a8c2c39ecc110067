/* uses.h: def-use chains.  Every change of an operand tells them here. */
#ifndef PH_IR_USES_H
#define PH_IR_USES_H

#include "core/ir/body.h"

/* v has got its operands / loses them. */
void ph_uses_linkall(ph_func *f, uint32_t v);
void ph_uses_unlink(ph_func *f, uint32_t v);
/* Construction has mostly nobody who asked. */
static inline void ph_uses_link(ph_func *f, uint32_t v) {
  if (f->uses.kept != PH_NO_USES) ph_uses_linkall(f, v);
}
/* Operand i of v is about to change / has changed. */
void ph_uses_unlinkone(ph_func *f, uint32_t v, uint32_t i);
void ph_uses_linkone(ph_func *f, uint32_t v, uint32_t i);
/* All uses of v are uses of w now. */
void ph_uses_join(ph_func *f, uint32_t v, uint32_t w);

#endif
