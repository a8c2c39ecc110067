/* order_lazy.h: the order of the values of lazy definitions. */
#ifndef PH_CONSTRUCT_ORDER_LAZY_H
#define PH_CONSTRUCT_ORDER_LAZY_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Sorts values of lazy definitions at the same place by variable.  f has lazy
** definitions, and is under construction. */
void ph_order_lazy_run(ph_func *f);

#pragma GCC visibility pop
#endif
