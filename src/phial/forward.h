/* forward.h: loads of finished functions that become values. */
#ifndef PHIAL_FORWARD_H
#define PHIAL_FORWARD_H

#include "phial/func.h"

PH_BEGIN_DECLS

/* What was done. */
typedef struct {
  uint32_t loads;  /* that are gone */
  uint32_t stores; /* that are gone */
  uint32_t phis;   /* made */
} ph_forwarded;

/* Makes values of loads of places whose value is known on every path that leads
** there, by an earlier load or store; where these differ, by phis.  No load is
** added anywhere.  Removes stores of which all bytes are stored again before
** anything may read them, or, in an alloca whose address does not escape,
** before the function ends.  Which accesses can be of the same bytes is told by
** classes, by constant offsets from one base, and by allocas: those whose
** address does not escape, and others from each other.
**
** The result is in minimal and pruned SSA form, if f was.  Nothing is simplified
** (PH_FINISH_SIMPLIFIED does that).  The function is finished, and
** ph_finish_dropunreachable has been called since its edges were last changed.
** Takes near-linear time: of a function in which more than 1024 places are
** accessed twice, others are left alone. */
ph_forwarded ph_forward_run(ph_func *f);

PH_END_DECLS

#endif
