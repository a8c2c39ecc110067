/* escape.h: which addresses can only be those of allocas that nothing else
** knows. */
#ifndef PH_ANALYSIS_ESCAPE_H
#define PH_ANALYSIS_ESCAPE_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

typedef struct {
  uint32_t *web; /* by value: a value of its web, itself at last; 0: it is no
                    address that is followed.  NULL: there are none */
  bool *open; /* by value, the last of a web: its allocas are known elsewhere */
} ph_escape;

/* Finds them, in memory of a. */
ph_escape ph_escape_find(const ph_func *f, ph_arena *a);
/* True if v points into an alloca of which nothing has the address except what
** is found to point there. */
bool ph_escape_isprivate(const ph_escape *e, uint32_t v);

#pragma GCC visibility pop
#endif
