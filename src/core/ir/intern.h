/* intern.h: the strings of a function, tables that intern, and whether a name
** is unique. */
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

/* Whether a thing that was given a name still has it: no; yes, but it is not in
** a block yet; yes. */
typedef enum { PH_NAME_GONE, PH_NAME_AWAY, PH_NAME_HERE } ph_presence;
typedef ph_presence ph_name_count_look(const ph_func *f, uint32_t id,
                                       uint32_t name);

/* Records that `id` was given `name`, an interned name or 0. */
void ph_name_count_add(ph_func *f, ph_name_counts *s, uint32_t id,
                       uint32_t name);
/* Forgets them all: they will be recorded again. */
void ph_name_count_forget(ph_name_counts *s);
/* Returns the only thing with this name that is present; 0 if none or several
** are. */
uint32_t ph_name_count_only(ph_func *f, ph_name_counts *s, uint32_t name,
                            ph_name_count_look *look);

#pragma GCC visibility pop
#endif
