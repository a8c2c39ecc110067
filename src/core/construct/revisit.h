/* revisit.h: what is there is simplified once more. */
#ifndef PH_CONSTRUCT_REVISIT_H
#define PH_CONSTRUCT_REVISIT_H

#include "core/construct/peephole.h"

typedef struct {
  bool failed;   /* a function of the host did */
  bool changed;  /* values were replaced */
  bool late;     /* some of them after the walk: there may be more to find */
  bool cut;      /* edges have gone */
  uint32_t dead; /* blocks that nothing leads to now */
} ph_revisited;

/* One pass; with `all` rules are tried on every instruction, not only where
** something has changed since.  The entry reaches every block. */
ph_revisited ph_revisit_run(ph_func *f, bool all);

#endif
