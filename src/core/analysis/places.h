/* places.h: where values are defined.
**
** A value is defined at the start of its block (phis; parameters, at the start
** of the entry) or at an instruction.  All results of an instruction are defined
** at that instruction, wherever their projections are.
*/
#ifndef PH_ANALYSIS_PLACES_H
#define PH_ANALYSIS_PLACES_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

typedef struct {
  uint32_t *home; /* by value: block of its definition; 0: it has none */
  uint32_t *at;   /* by value: place in that block, from 0 (its start) */
} ph_places;

/* Finds the places of all values; those of constants and undefs are none. */
ph_places ph_places_find(const ph_func *f, ph_arena *a);
/* True if v is a further result of its operand, and defined there: it does not
** use that operand. */
bool ph_places_isresult(const ph_func *f, uint32_t v);

#pragma GCC visibility pop
#endif
