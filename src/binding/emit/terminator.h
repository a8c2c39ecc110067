/* terminator.h: the instructions that end a block. */
#ifndef PL_EMIT_TERMINATOR_H
#define PL_EMIT_TERMINATOR_H

#include "binding/emit/emission.h"
#pragma GCC visibility push(hidden)

/* Ends e->b with e->op and the m targets from `first` on, or those in the
** table at `extra` (0: none). */
int pl_terminator_run(lua_State *L, pl_emission *e, int first, int m,
                      int extra);
/* In parts: _start reads the block or cursor of a method that takes `least` to
** `most` arguments, and at a cursor, if there can be targets, the operands of
** phis for new edges; _place checks that the block can end there; _check checks
** edges to m targets (spare: room for m more); _begin and _end fill the block.
*/
void pl_terminator_start(lua_State *L, pl_emission *e, ph_op op, int least,
                         int most);
void pl_terminator_place(lua_State *L, pl_emission *e);
void pl_terminator_check(lua_State *L, pl_emission *e, const ph_block *targets,
                         ph_block *spare, uint32_t m);
void pl_terminator_begin(lua_State *L, pl_emission *e);
int pl_terminator_end(lua_State *L, pl_emission *e, const ph_block *targets,
                      uint32_t m);
/* Raises an error if b cannot get an edge to t in a finished function. */
void pl_terminator_checktarget(lua_State *L, pl_funcobj *h, ph_block b,
                               ph_block t);
/* Raises an error if argument 2, on which control depends, is a Lua boolean: it
** is mostly the result of a comparison of handles. */
void pl_terminator_checkvalue(lua_State *L, pl_funcobj *h);

#pragma GCC visibility pop
#endif
