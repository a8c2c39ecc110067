/* unreachable.h: blocks that the entry does not reach: dropped or kept. */
#ifndef PH_CONSTRUCT_UNREACHABLE_H
#define PH_CONSTRUCT_UNREACHABLE_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Removes the edges from unreachable to reachable blocks, and drops the
** unreachable blocks.  If f keeps them, they stay; but if it also simplifies,
** they are taken out, until ph_unreachable_putback. */
void ph_unreachable_remove(ph_func *f);
/* Puts back what was taken out, as it was; true if anything was. */
bool ph_unreachable_putback(ph_func *f);

#pragma GCC visibility pop
#endif
