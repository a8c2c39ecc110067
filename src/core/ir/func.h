/* func.h: the life of a function, beyond what phial/func.h says. */
#ifndef PH_IR_FUNC_H
#define PH_IR_FUNC_H

#include "core/ir/body.h"

/* A new function without an entry block (the parser makes its own). */
void ph_func_start(ph_func *f, ph_str name, ph_type result,
                   const ph_options *options);

#endif
