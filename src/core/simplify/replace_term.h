/* replace_term.h: replaces terminators of filled blocks. */
#ifndef PH_SIMPLIFY_REPLACE_TERM_H
#define PH_SIMPLIFY_REPLACE_TERM_H

#include "core/simplify/peephole.h"
#pragma GCC visibility push(hidden)

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
  bool *done; /* by block: its terminator has been replaced */
  ph_renewals all;
} ph_replace_term;

typedef enum {
  PH_REPLACE_TERM_NOT,   /* it stays as it is */
  PH_REPLACE_TERM_JUMP,  /* it becomes a jump along *edge: the caller's task */
  PH_REPLACE_TERM_OTHER, /* ph_replace_term_apply will replace it */
  PH_REPLACE_TERM_FAILED /* a callback failed */
} ph_renewed;

ph_replace_term ph_replace_term_start(ph_func *f, ph_arena *a);
/* Simplifies the terminator of b. */
ph_renewed ph_replace_term_look(ph_replace_term *r, ph_site *s, uint32_t b,
                                uint32_t *edge);
/* Replaces the recorded terminators, except those of dead blocks. */
void ph_replace_term_apply(ph_replace_term *r, const bool *dead);

#pragma GCC visibility pop
#endif
