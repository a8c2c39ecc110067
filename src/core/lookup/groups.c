/* groups.c: groups of variables. */
#include "core/lookup/groups.h"

bool ph_groups_covers(const ph_groups *g, uint32_t group, uint32_t var,
                      uint32_t number) {
  const ph_grouprec *r = &g->all.at[group];
  uint32_t since;
  if (r->only != 0) return r->only == var;
  since = ph_idmap_get(&r->since, var);
  return since != 0 && number > since - 1;
}

void ph_groups_restart(ph_groups *g) {
  for (uint32_t i = 1; i < g->members.n; i++) g->members.at[i].since = 0;
  for (uint32_t i = 1; i < g->all.n; i++) {
    const ph_idmap *since = &g->all.at[i].since;
    for (uint32_t k = 0; k < since->cap; k++)
      if (since->at[k].id != 0) since->at[k].to = 1;
  }
}
