/* members.h: the values of congruence classes, each class a search tree in
** dominance order.
**
** A treap (Seidel and Aragon, 1996), whose priorities are hashes of the ids: no
** recursion, no rebalancing, O(log n) expected.
*/
#ifndef PH_LEAVE_MEMBERS_H
#define PH_LEAVE_MEMBERS_H

#include "core/leave/live_ranges.h"
#pragma GCC visibility push(hidden)

typedef struct {
  const ph_live_ranges *r;
  uint32_t *left, *right; /* by value */
} ph_members;

/* A tree is the value at its root, or 0. */

/* Inserts v, which is in no tree; its children are 0. */
void ph_members_insert(ph_members *m, uint32_t *root, uint32_t v);
/* Return the last value of a tree that precedes v, and the first one that v
** precedes; 0: none. */
uint32_t ph_members_before(const ph_members *m, uint32_t root, uint32_t v);
uint32_t ph_members_after(const ph_members *m, uint32_t root, uint32_t v);
/* Returns the first value of a tree behind all that v dominates, or 0. */
uint32_t ph_members_past(const ph_members *m, uint32_t root, uint32_t v);
/* Returns the first value of a tree that is not empty. */
uint32_t ph_members_first(const ph_members *m, uint32_t root);

#pragma GCC visibility pop
#endif
