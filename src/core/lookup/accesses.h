/* accesses.h: reads and writes of variables as the program makes them. */
#ifndef PH_LOOKUP_ACCESSES_H
#define PH_LOOKUP_ACCESSES_H

#include "core/ir/body.h"
#include "phial/classical.h"

/* A read or a write.  The value of a read is in no block, and is replaced when
** variables are renamed. */
typedef struct {
  uint32_t block, var, value;
  uint32_t here, loc; /* indices in `places` */
  bool reads;
} ph_access;

PH_VEC(ph_accesslist, ph_access)

struct ph_accesses {
  ph_classic algorithm;
  ph_accesslist list; /* in order of time, from 0 */
};

void ph_accesses_start(ph_func *f, ph_classic which);
void ph_accesses_write(ph_func *f, uint32_t var, uint32_t b, uint32_t v);
/* Returns a value that stands for the definition. */
uint32_t ph_accesses_read(ph_func *f, uint32_t var, uint32_t b);

#endif
