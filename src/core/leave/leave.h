/* leave.h: what leaving SSA form answers with. */
#ifndef PH_LEAVE_LEAVE_H
#define PH_LEAVE_LEAVE_H

#include "core/base/vec.h"
#include "core/leave/parallel_copy.h"

PH_VEC(ph_nth_edges, ph_nth_edge)

struct ph_leaving {
  uint32_t nvalues, nedges; /* lengths of `of` and `first` */
  uint32_t *of;             /* by value: its location, or 0 */
  uint32_t *first, *count;  /* by edge: its moves in `moves` */
  ph_types types;           /* by location */
  ph_moves moves;
  ph_nth_edges critical;
  uint32_t copies; /* number of copies that are left */
};

#endif
