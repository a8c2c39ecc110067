/* split.c: splits the critical edges that have moves. */
#include "core/leave/leave.h"

#include "phial/edit.h"

uint32_t ph_leave_split(ph_func *f, const ph_leaving *l) {
  const ph_str nameless = {NULL, 0};
  for (uint32_t i = 0; i < l->critical.n; i++)
    ph_edge_splitedge(f, l->critical.at[i].edge, nameless);
  return l->critical.n;
}
