/* rename.h: gives reads, and the operands of phis, their values. */
#ifndef PH_CLASSICAL_RENAME_H
#define PH_CLASSICAL_RENAME_H

#include "core/classical/program.h"
#pragma GCC visibility push(hidden)

/* Makes the phis that were placed, replaces each read by its definition, and
** gives the phis their operands; if `sparse`, without those that are trivial
** then. */
void ph_rename_run(ph_program *p, bool sparse);

#pragma GCC visibility pop
#endif
