/* intern.h: the strings of a function, and tables that intern. */
#ifndef PH_IR_INTERN_H
#define PH_IR_INTERN_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Returns the number of a name; 0 if it is empty, as for most things. */
static inline uint32_t ph_intern_of(ph_func *f, ph_str s) {
  return s.n == 0 ? 0 : ph_intern_add(f, s);
}

/* Returns the number of a string that has one; otherwise 0. */
uint32_t ph_intern_find(ph_func *f, ph_str s);

/* Searches for an entry with `hash` that `same` accepts.  Returns its slot in
** t->at, or the free slot where it belongs; one always exists. */
uint32_t *ph_intern_slot(ph_func *f, ph_table *t, uint32_t hash,
                         bool (*same)(const ph_func *f, uint32_t id,
                                      const void *key),
                         const void *key);
/* Makes room for one more entry; `hash_of` returns the hash of an entry. */
void ph_intern_room(ph_func *f, ph_table *t,
                    uint32_t (*hash_of)(const ph_func *f, uint32_t id));

#pragma GCC visibility pop
#endif
