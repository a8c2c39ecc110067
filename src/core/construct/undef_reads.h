/* undef_reads.h: what finish keeps for ph_undef_reads_count. */
#ifndef PH_CONSTRUCT_UNDEF_READS_H
#define PH_CONSTRUCT_UNDEF_READS_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Keeps those recorded reads that can be undefined, and the writes that decide,
** before construction ends. */
void ph_undef_reads_keep(ph_func *f);

#pragma GCC visibility pop
#endif
