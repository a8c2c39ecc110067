/* name_count.h: finds out whether a name is unique. */
#ifndef PH_IR_NAME_COUNT_H
#define PH_IR_NAME_COUNT_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

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
