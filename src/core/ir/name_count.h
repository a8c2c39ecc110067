/* name_count.h: who shares a name. */
#ifndef PH_IR_NAME_COUNT_H
#define PH_IR_NAME_COUNT_H

#include "core/ir/body.h"

/* What has had a name has it no more; will have it shown; has it shown. */
typedef enum { PH_NAME_GONE, PH_NAME_AWAY, PH_NAME_HERE } ph_presence;
typedef ph_presence ph_name_count_look(const ph_func *f, uint32_t id,
                                       uint32_t name);

/* Enters that `id` has got `name`, which is none or interned. */
void ph_name_count_add(ph_func *f, ph_name_counts *s, uint32_t id,
                       uint32_t name);
/* Is a single one here of those with this name? */
bool ph_name_count_unique(ph_func *f, ph_name_counts *s, uint32_t name,
                          ph_name_count_look *look);

#endif
