/* event.h: records the steps of construction, reads and writes, and where
** things were made. */
#ifndef PH_IR_EVENT_H
#define PH_IR_EVENT_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

static inline ph_srcloc ph_srcloc_of(const ph_func *f, uint32_t place) {
  return f->places.at[place];
}
/* Record a place for the value v: in the frontend's source; of the host. */
void ph_srcloc_setloc(ph_func *f, uint32_t v, ph_srcloc loc);
void ph_srcloc_sethostloc(ph_func *f, uint32_t v, ph_srcloc here);

/* Returns the current place of the host, for an event in a block's life or a
** read. */
static inline uint32_t ph_srcloc_now(const ph_func *f) { return f->here; }
/* Records the current places for v, which was just made, and, unless it is a
** phi, what it is made for. */
void ph_srcloc_note(ph_func *f, uint32_t v);
static inline void ph_srcloc_stamp(ph_func *f, uint32_t v) {
  if (f->stamping) ph_srcloc_note(f, v);
}

/* What is recorded of new values at the moment. */
typedef struct {
  uint32_t here, loc, identity;
  bool every;
} ph_stamp;
static inline ph_stamp ph_srcloc_stampof(const ph_func *f) {
  return (ph_stamp){f->here, f->loc, f->identity, f->every};
}
static inline void ph_srcloc_resume(ph_func *f, ph_stamp s) {
  f->here = s.here;
  f->loc = s.loc;
  f->identity = s.identity;
  f->every = s.every;
  f->stamping = s.loc != 0 || s.identity != 0 || s.every;
}

/* Records a may-write of v in b: to var, or (0) to any number of variables. */
void ph_access_recordmay(ph_func *f, uint32_t b, uint32_t var, uint32_t v);

/* Stores the event until the host takes it, if it listens, and records reads
** and writes, if it asked for that; ph_event_note does so only if either. */
void ph_event_keep(ph_func *f, ph_event e);

/* Keeps an instruction for an event that is about it, and returns what `was` or
** `becomes` of the event has to be.  Requires: f->tells. */
uint32_t ph_event_keepinst(ph_func *f, ph_op op, const uint32_t *args,
                           uint32_t n);

static inline void ph_event_note(ph_func *f, ph_eventkind kind, uint32_t block,
                                 uint32_t var, uint32_t value, uint32_t other) {
  if (f->listening) {
    ph_event e = {kind, {block}, {var}, {value}, {other}, 0, {0}, 0, 0};
    ph_event_keep(f, e);
  }
}
/* The same for details. */
static inline void ph_event_notedetail(ph_func *f, ph_eventkind kind,
                                       uint32_t block, uint32_t var,
                                       uint32_t value) {
  if (f->details) ph_event_note(f, kind, block, var, value, 0);
}

#pragma GCC visibility pop
#endif
