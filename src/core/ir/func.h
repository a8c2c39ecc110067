/* func.h: makes functions, beyond phial/func.h. */
#ifndef PH_IR_FUNC_H
#define PH_IR_FUNC_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Starts a function without an entry block (the parser makes its own). */
void ph_func_start(ph_func *f, ph_str name, ph_type result,
                   const ph_options *options);

#pragma GCC visibility pop
#endif
