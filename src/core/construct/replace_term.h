/* renew.h: terminators of finished blocks become others. */
#ifndef PH_RENEW_H
#define PH_RENEW_H

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
} ph_renew;

typedef enum {
  PH_RENEW_NOT,   /* it stays as it is */
  PH_RENEW_JUMP,  /* it is to be a jump along *edge; the caller sees to it */
  PH_RENEW_OTHER, /* another one, when ph_renew_apply is called */
  PH_RENEW_FAILED /* a function of the host failed */
} ph_renewed;

ph_renew ph_renew_start(ph_func *f, ph_arena *a);
/* What can the terminator of b be? */
ph_renewed ph_renew_look(ph_renew *r, ph_site *s, uint32_t b, uint32_t *edge);
/* Ends blocks anew, but for dead ones. */
void ph_renew_apply(ph_renew *r, const bool *dead);

#endif
