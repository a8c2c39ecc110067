/* srcloc.h: where things were made. */
#ifndef PH_IR_SRCLOC_H
#define PH_IR_SRCLOC_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

static inline ph_srcloc ph_srcloc_of(const ph_func *f, uint32_t place) {
  return f->places.at[place];
}
/* Stores p and returns its number; 0 if it is nowhere. */
uint32_t ph_srcloc_keep(ph_func *f, ph_srcloc p);
/* Records a place in the frontend's source for the value v. */
void ph_srcloc_setloc(ph_func *f, uint32_t v, ph_srcloc loc);

/* Returns the current place of the host, for an event in a block's life or a
** read. */
static inline uint32_t ph_srcloc_now(const ph_func *f) { return f->here; }
/* Records the current places for v, which was just made. */
void ph_srcloc_note(ph_func *f, uint32_t v);
static inline void ph_srcloc_stamp(ph_func *f, uint32_t v) {
  if (f->stamping) ph_srcloc_note(f, v);
}

/* What is recorded of new values at the moment. */
typedef struct {
  uint32_t here, loc;
  bool every;
} ph_stamp;
static inline ph_stamp ph_srcloc_stampof(const ph_func *f) {
  return (ph_stamp){f->here, f->loc, f->every};
}
static inline void ph_srcloc_resume(ph_func *f, ph_stamp s) {
  f->here = s.here;
  f->loc = s.loc;
  f->every = s.every;
  f->stamping = s.loc != 0 || s.every;
}

#pragma GCC visibility pop
#endif
