/* classes.h: congruence classes: values that share a location. */
#ifndef PH_LEAVE_CLASSES_H
#define PH_LEAVE_CLASSES_H

#include "core/leave/members.h"
#pragma GCC visibility push(hidden)

typedef struct {
  ph_members members;
  const uint32_t
      *same;        /* by value: the value that it is a copy of, or itself */
  uint32_t *leader; /* by value: union-find */
  uint32_t *root;   /* by leader: its members */
  uint32_t *size;   /* by leader: their number */
  uint32_t *above;  /* by value: the nearest member that dominates it, or 0 */
  ph_ids moving;    /* members on their way to another class */
  ph_arena *a;
} ph_classes;

/* Makes a class of each value.  Those that are merged must have live ranges. */
ph_classes ph_classes_new(ph_arena *a, const ph_live_ranges *r,
                          const uint32_t *same);
/* Returns the leader of the class of v. */
uint32_t ph_classes_find(const ph_classes *c, uint32_t v);
/* Merges the classes of v and w, unless values of them interfere; true if they
** are one class now. */
bool ph_classes_merge(ph_classes *c, uint32_t v, uint32_t w);

#pragma GCC visibility pop
#endif
