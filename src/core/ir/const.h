/* const.h: constants by their data. */
#ifndef PH_IR_CONST_H
#define PH_IR_CONST_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Returns the interned constant of that type and data. */
uint32_t ph_const_of(ph_func *f, ph_type type, ph_data data);
/* Returns that constant of an integer type, or 0 if it was never made. */
uint32_t ph_const_find(ph_func *f, ph_type type, int64_t i);
/* Returns i as constants of the type store it: sign-extended; i1 is 0 or 1. */
int64_t ph_const_normal(ph_type type, int64_t i);

#pragma GCC visibility pop
#endif
