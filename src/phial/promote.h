/* promote.h: memory of finished functions that becomes values.
**
** A frontend may leave variables in memory, each in an alloca of its own, and
** have those made values that can be.
*/
#ifndef PHIAL_PROMOTE_H
#define PHIAL_PROMOTE_H

#include "phial/func.h"

PH_BEGIN_DECLS

/* The most bytes of an alloca that is promoted. */
#define PH_PROMOTE_MOST 128

/* What a promotion did. */
typedef struct {
  uint32_t allocas; /* that are gone */
  uint32_t fields;  /* of allocas that are variables now */
  uint32_t loads;   /* that are gone */
  uint32_t writes;  /* that are gone: stores, copies and fills of memory */
  uint32_t phis;    /* made */
} ph_promoted;

/* Makes values of what allocas hold, as far as their addresses are used by
** nothing but loads, stores, and copies and fills of a constant number of bytes,
** at constant offsets.  An alloca is split into fields, one for each place that
** is loaded or stored; a field in which accesses overlap partly, or that is both
** an i1 and something else, stays in memory.  Accesses of different types of one
** size become bitcasts.  A field is undef until it is written.  What is never
** read is not kept either.  The variables that phis belong to have the name of
** the alloca, and after an underscore the offset of the field, unless that is all.
**
** The result is in minimal and pruned SSA form, if f was.  Nothing is simplified
** (PH_FINISH_SIMPLIFIED does that), nor is code removed that is dead then
** (ph_dce_run).  The function is finished, and ph_finish_dropunreachable has
** been called since its edges were last changed.  Takes near-linear time. */
ph_promoted ph_promote_run(ph_func *f);

PH_END_DECLS

#endif
