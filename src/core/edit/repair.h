/* repair.h: what a repair looks up. */
#ifndef PH_EDIT_REPAIR_H
#define PH_EDIT_REPAIR_H

#include "core/ir/body.h"

/* A source of a variable: a value, or the start of a block; neither: undef. */
typedef struct {
  uint32_t block, value;
  uint32_t is; /* the value that it is in the end */
} ph_source;
PH_VEC(ph_sources, ph_source)

/* A use: operand `index` of `user` becomes what `source` is. */
typedef struct {
  uint32_t user, index, source;
} ph_lookup;
PH_VEC(ph_lookups, ph_lookup)

/* A block that is visited. */
typedef struct {
  uint32_t block;
  uint32_t last;  /* what the variable is at its end, if it is defined here */
  uint32_t start; /* the source, or 0 */
} ph_visit;
PH_VEC(ph_visits, ph_visit)

#endif
