/* unreachable.h: blocks that the entry does not reach: dropped or cut off. */
#ifndef PH_CONSTRUCT_UNREACHABLE_H
#define PH_CONSTRUCT_UNREACHABLE_H

#include "core/ir/body.h"
#pragma GCC visibility push(hidden)

/* Removes the edges from unreachable to reachable blocks, and drops the
** unreachable blocks; if f keeps them, takes them out instead: until
** ph_unreachable_putback, they are not in f.  Blocks that are out stay out. */
void ph_unreachable_takeout(ph_func *f);
/* Puts back what was taken out; true if anything was. */
bool ph_unreachable_putback(ph_func *f);

#pragma GCC visibility pop
#endif
