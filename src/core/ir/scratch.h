/* scratch.h: the memory of a pass under way.
**
** Passes and questions take what they need from f->scratch.  One can run
** inside another (a host asks from a callback), so only the outermost gives
** the memory back.
*/
#ifndef PH_IR_SCRATCH_H
#define PH_IR_SCRATCH_H

#include "core/ir/func.h"

/* At the start of a pass: is it the outermost? */
static inline bool ph_scratch_enter(const ph_func *f) {
  return f->scratch.last == NULL;
}
/* At its end, with that answer. */
static inline void ph_scratch_leave(ph_func *f, bool outermost) {
  if (outermost) ph_arena_done(&f->scratch);
}

#endif
