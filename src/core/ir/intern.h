/* intern.h: strings kept in a function, and the table that interns. */
#ifndef PH_IR_INTERN_H
#define PH_IR_INTERN_H

#include "core/ir/body.h"

/* The number of a name; most things have none. */
static inline uint32_t ph_intern_of(ph_func *f, ph_str s) {
  return s.n == 0 ? 0 : ph_intern_add(f, s);
}

/* Looks for an entry with `hash` that `same` accepts; returns its place in
** t->at, or that of the free slot where it belongs.  There is always one. */
uint32_t *ph_intern_slot(ph_func *f, ph_table *t, uint32_t hash,
                         bool (*same)(const ph_func *f, uint32_t id,
                                      const void *key),
                         const void *key);
/* Makes room for one more; `hash_of` tells the hash of an entry. */
void ph_intern_room(ph_func *f, ph_table *t,
                    uint32_t (*hash_of)(const ph_func *f, uint32_t id));

#endif
