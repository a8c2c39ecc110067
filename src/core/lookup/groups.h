/* groups.h: groups of variables that one may-write can write.
**
** They belong to the function.  A variable in a group has no cell in
** current_def: its definitions are found in the lists of their blocks, next to
** the may-writes.
*/
#ifndef PH_LOOKUP_GROUPS_H
#define PH_LOOKUP_GROUPS_H

#include "core/base/idmap.h"
#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

typedef struct {
  uint64_t bits; /* of its variables (join_skip.h) */
  uint32_t only; /* its variable, if it was made for one */
  ph_type type;
  ph_idmap since; /* by variable: 1 + `since` of the membership */
} ph_grouprec;

/* A variable in a group. */
typedef struct {
  uint32_t group;
  uint32_t since; /* number of the last may-write that it came too late for */
  uint32_t next;  /* an older membership of the variable, or 0 */
  uint32_t count; /* number of memberships from this one on */
} ph_member;

PH_VEC(ph_grouprecs, ph_grouprec)
PH_VEC(ph_members, ph_member)

struct ph_groups {
  ph_grouprecs all;   /* from 1 */
  ph_members members; /* from 1 */
  ph_ids first;       /* by variable: its newest membership, or 0 */
  ph_ids single;      /* by variable: the group made for it, or 0 */
};

/* Returns the newest membership of var, or 0. */
static inline uint32_t ph_groups_first(const ph_groups *g, uint32_t var) {
  return g != NULL && var < g->first.n ? g->first.at[var] : 0;
}
/* True if a may-write with this number to the group can write var. */
bool ph_groups_covers(const ph_groups *g, uint32_t group, uint32_t var,
                      uint32_t number);
/* Lets all memberships begin before may-write 1. */
void ph_groups_restart(ph_groups *g);

#pragma GCC visibility pop
#endif
