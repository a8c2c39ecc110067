/* event.h: stores the steps of construction for a listener. */
#ifndef PH_IR_EVENT_H
#define PH_IR_EVENT_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Stores the event until the host takes it, if it listens, and records reads
** and writes, if it asked for that; ph_event_note does so only if either. */
void ph_event_keep(ph_func *f, ph_event e);

static inline void ph_event_note(ph_func *f, ph_eventkind kind, uint32_t block,
                                 uint32_t var, uint32_t value, uint32_t other) {
  if (f->listening) {
    ph_event e = {kind, {block}, {var}, {value}, {other}, 0, {0}};
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
