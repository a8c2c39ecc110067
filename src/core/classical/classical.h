/* classical.h: construction by the classical algorithms. */
#ifndef PH_CLASSICAL_CLASSICAL_H
#define PH_CLASSICAL_CLASSICAL_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Places phis and renames, in a function that ph_classical_start was called of;
** every block is filled and sealed, none is unreachable. */
void ph_classical_run(ph_func *f);

#pragma GCC visibility pop
#endif
