/* dce.h: taking out what is not needed. */
#ifndef PH_EDIT_DCE_H
#define PH_EDIT_DCE_H

#include "core/ir/body.h"

/* Removes what is not needed (by value) from v on, in v's list; how many. */
uint32_t ph_dce_list(ph_func *f, uint32_t v, const bool *needed);

#endif
