/* dce.h: removes values that are not needed. */
#ifndef PH_EDIT_DCE_H
#define PH_EDIT_DCE_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Removes, from v to the end of its list, the values that are not needed;
** returns how many.  `needed` is by value. */
uint32_t ph_dce_list(ph_func *f, uint32_t v, const bool *needed);

#pragma GCC visibility pop
#endif
