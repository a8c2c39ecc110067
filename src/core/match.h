/* match.h: rules applied to an instruction that is not there yet. */
#ifndef PH_MATCH_H
#define PH_MATCH_H

#include "core/dispatch.h"
#include "core/func.h"

/* An instruction to be: operands are resolved and in canonical order; at its
** arrays there is room for as many operands and targets as ph_match_room
** says. */
typedef struct {
  uint32_t block; /* at whose end it is to stand */
  ph_op op;
  ph_type type;
  uint32_t nargs, ntargets;
  uint32_t *args, *targets;
  uint32_t rule; /* the last one applied */
} ph_pending;

typedef enum {
  PH_MATCH_NONE,  /* no rule applies */
  PH_MATCH_VALUE, /* args[0] is its value */
  PH_MATCH_AGAIN, /* it has become another one: begin again */
  PH_MATCH_FAILED /* a function of the host failed: undo all, and tell */
} ph_matched;

/* What matching needs of who makes instructions. */
typedef struct {
  /* The value of an instruction at the end of the block: an existing one or a
  ** new one; 0: it failed.  With `only`, nothing may be appended: 0 then says
  ** that it would have to be. */
  uint32_t (*emit)(ph_func *f, uint32_t block, ph_op op, ph_type type,
                   const uint32_t *args, uint32_t n, bool only);
  /* Takes back what was appended since the mark. */
  uint32_t (*mark)(ph_func *f);
  void (*undo)(ph_func *f, uint32_t mark);
  /* Is v known to dominate the end of the block? */
  bool (*reaches)(ph_func *f, uint32_t v, uint32_t block);
} ph_engine;

/* The most operands, or targets, that the result of a rule has; at least 8. */
uint32_t ph_match_room(const ph_func *f);

void ph_match_use(ph_func *f, ph_rules *set, const ph_engine *engine);
/* From now on late rules apply, too, or no more; are there any? */
bool ph_match_late(ph_func *f, bool late);
/* Tries the rules; f->matcher is there. */
ph_matched ph_match_run(ph_func *f, ph_pending *p);

#endif
