/* type.h: properties of types, beyond the public header. */
#ifndef PH_IR_TYPE_H
#define PH_IR_TYPE_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Returns the attached dialect of a type; NULL for those of phial. */
const ph_attached *ph_type_owner(const ph_func *f, ph_type type);
/* Converts a type from the dialect's own numbering to that of the function. */
static inline ph_type ph_type_own(const ph_attached *a, ph_type t) {
  return t < PH_TYPES ? t : (ph_type)(t - PH_TYPES + a->type);
}

#pragma GCC visibility pop
#endif
