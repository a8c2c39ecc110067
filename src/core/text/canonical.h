/* canonical.h: numbers that depend only on the shape of a function. */
#ifndef PH_TEXT_CANONICAL_H
#define PH_TEXT_CANONICAL_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

typedef struct {
  uint32_t *blocks;               /* in the order of their numbers */
  uint32_t count;                 /* number of these blocks */
  uint32_t *block_number;         /* by block, from 1 */
  uint32_t *value_number;         /* by value, from 1; 0: no result */
  uint32_t *first_phi, *next_phi; /* by block, by value: the sorted phis */
} ph_canonical;

/* Returns the blocks in that order, `count` of them. */
uint32_t *ph_canonical_order(const ph_func *f, ph_arena *a, uint32_t *count);
/* Computes the numbers of f, in memory of `a`. */
ph_canonical ph_canonical_compute(const ph_func *f, ph_arena *a);

#pragma GCC visibility pop
#endif
