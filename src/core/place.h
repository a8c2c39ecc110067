/* place.h: where things were made. */
#ifndef PH_PLACE_H
#define PH_PLACE_H

#include "core/func.h"

/* The place that holds now for a moment of a block's life, or a read. */
static inline uint32_t ph_place_now(const ph_func *f) { return f->here; }
/* Notes the places that hold now for the value v, just made. */
void ph_place_note(ph_func *f, uint32_t v);
static inline void ph_place_stamp(ph_func *f, uint32_t v) {
  if (f->loc != 0 || f->every) ph_place_note(f, v);
}

#endif
