/* occurrences.h: reads and writes of variables as the program makes them. */
#ifndef PH_LOOKUP_OCCURRENCES_H
#define PH_LOOKUP_OCCURRENCES_H

#include "core/ir/body.h"
#include "phial/classical.h"
#pragma GCC visibility push(hidden)

/* A read or a write.  The value of a read is in no block, and is replaced when
** variables are renamed. */
typedef struct {
  uint32_t block, var, value;
  uint32_t here, loc; /* indices in `places` */
  bool reads;
} ph_occurrence;

PH_VEC(ph_occurrencelist, ph_occurrence)

struct ph_occurrences {
  ph_classic algorithm;
  ph_occurrencelist list; /* in order of time, from 0 */
};

void ph_occurrences_start(ph_func *f, ph_classic which);
/* v = 0: the variable ends. */
void ph_occurrences_write(ph_func *f, uint32_t var, uint32_t b, uint32_t v);
/* Returns a value that stands for the definition. */
uint32_t ph_occurrences_read(ph_func *f, uint32_t var, uint32_t b);

#pragma GCC visibility pop
#endif
