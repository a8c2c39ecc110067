/* access.h: records reads and writes for the host. */
#ifndef PH_IR_ACCESS_H
#define PH_IR_ACCESS_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Records a write of v to var in b, or a read; in f with options.accesses. */
void ph_access_record(ph_func *f, uint32_t b, uint32_t var, uint32_t v,
                      bool writes);
/* Records a may-write of v in b: to var, or (0) to any number of variables. */
void ph_access_recordmay(ph_func *f, uint32_t b, uint32_t var, uint32_t v);

#pragma GCC visibility pop
#endif
