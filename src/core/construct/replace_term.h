/* replace_term.h: terminators of finished blocks become others. */
#ifndef PH_CONSTRUCT_REPLACE_TERM_H
#define PH_CONSTRUCT_REPLACE_TERM_H

#include "core/construct/peephole.h"

typedef struct {
  uint32_t block, n, m;
  ph_op op;
  ph_value *args;
  ph_block *targets;
} ph_renewal;
PH_VEC(ph_renewals, ph_renewal)

typedef struct {
  ph_func *f;
  ph_arena *a;
  bool *done; /* by block: its terminator is no more looked at */
  ph_renewals all;
} ph_replace_term;

typedef enum {
  PH_REPLACE_TERM_NOT, /* it stays as it is */
  PH_REPLACE_TERM_JUMP, /* it is to be a jump along *edge; the caller sees to it */
  PH_REPLACE_TERM_OTHER, /* another one, when ph_replace_term_apply is called */
  PH_REPLACE_TERM_FAILED /* a function of the host failed */
} ph_renewed;

ph_replace_term ph_replace_term_start(ph_func *f, ph_arena *a);
/* What can the terminator of b be? */
ph_renewed ph_replace_term_look(ph_replace_term *r, ph_site *s, uint32_t b,
                                uint32_t *edge);
/* Ends blocks anew, but for dead ones. */
void ph_replace_term_apply(ph_replace_term *r, const bool *dead);

#endif
