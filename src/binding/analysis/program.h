/* program.h: what an emitter writes of a function, in order. */
#ifndef PL_ANALYSIS_PROGRAM_H
#define PL_ANALYSIS_PROGRAM_H

#include "binding/args/template.h"
#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

typedef struct {
  pl_funcobj *h;
  const ph_func *f;
  const ph_rpo *o;
  bool everything;    /* values that nothing needs as well */
  uint32_t *kept;     /* the values: parameters, then those of each block, phis
                         first, an instruction with its projections */
  uint32_t *next;     /* by value: a projection of the same instruction, or 0 */
  uint32_t *phis;     /* by block in reverse postorder: where its phis begin in
                         `kept`; where the last block ends */
  uint32_t *insts;    /* by block: where its instructions begin */
  uint32_t *incoming; /* by edge: its number among those from reachable blocks
                         to its target, from 1; else 0 */
  uint32_t *operand;  /* by edge: which operand phis have for it, from 0 */
  uint32_t edges;     /* more than the number of each edge */
  uint32_t nkept, nblocks, noperands, nedges;
} pl_program;

/* Reads what a function computes and what for; the arrays are in `memory`, which is
** empty, or, if that is NULL, in a userdata, which is pushed. */
void pl_program_read(lua_State *L, pl_program *it, pl_funcobj *h,
                     bool everything, pl_grown *memory);

#pragma GCC visibility pop
#endif
