/* detail.h: tells listeners that want details what a look-up does on its way. */
#ifndef PH_LOOKUP_DETAIL_H
#define PH_LOOKUP_DETAIL_H

#include "core/lookup/climb.h"
#pragma GCC visibility push(hidden)

/* Tells that a look-up of var climbed from block `from`, and ended at l, unless
** it stayed there and found nothing. */
void ph_detail_climb(ph_func *f, uint32_t var, uint32_t from, ph_landing l);

#pragma GCC visibility pop
#endif
