/* event.h: what construction does, step by step, for who listens. */
#ifndef PH_IR_EVENT_H
#define PH_IR_EVENT_H

#include "core/ir/body.h"

/* Keeps the event until the host takes it; does nothing when nobody listens.
 */
void ph_event_keep(ph_func *f, ph_event e);

static inline void ph_event_note(ph_func *f, ph_eventkind kind, uint32_t block,
                                 uint32_t var, uint32_t value, uint32_t other) {
  if (f->listening) {
    ph_event e = {kind, {block}, {var}, {value}, {other}, 0, {0}};
    ph_event_keep(f, e);
  }
}

#endif
