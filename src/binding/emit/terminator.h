/* terminator.h: the instructions that end a block. */
#ifndef PL_EMIT_TERMINATOR_H
#define PL_EMIT_TERMINATOR_H

#include "binding/emit/emission.h"
#pragma GCC visibility push(hidden)

/* Ends e->b with e->op and the m targets from `first` on, or those in the
** table at `extra` (0: none). */
int pl_terminator_run(lua_State *L, pl_emission *e, int first, int m,
                      int extra);
/* Raises an error if b cannot get an edge to t in a finished function. */
void pl_terminator_checktarget(lua_State *L, pl_funcobj *h, ph_block b,
                               ph_block t);

#pragma GCC visibility pop
#endif
