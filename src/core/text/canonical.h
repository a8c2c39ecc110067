/* canonical.h: numbers that depend on the shape of a function alone. */
#ifndef PH_TEXT_CANONICAL_H
#define PH_TEXT_CANONICAL_H

#include "core/ir/body.h"

typedef struct {
  uint32_t *blocks; /* in the order of the numbers, `count` of them */
  uint32_t count;
  uint32_t *block_number;         /* by block; from 1 */
  uint32_t *value_number;         /* by value; from 1; 0: no result */
  uint32_t *first_phi, *next_phi; /* by block, by value: phis, sorted */
} ph_canonical;

/* In memory of `a`. */
ph_canonical ph_canonical_compute(const ph_func *f, ph_arena *a);

#endif
