/* emission.h: an instruction to be made, as it is read from the stack. */
#ifndef PL_EMIT_EMISSION_H
#define PL_EMIT_EMISSION_H

#include "binding/args/operand.h"
#include "binding/args/phi_inputs.h"
#include "binding/state/handle.h"

typedef struct {
  pl_funcobj *h;
  int top; /* stack index of the last argument */
  int fn;  /* stack index of the function, 0: it is that of argument 1 */
  ph_block b;
  ph_value before; /* at a cursor: what it precedes; or none */
  ph_op op;
  const ph_opspec *spec; /* of op, if its handle was given */
  ph_type type;
  pl_operands operands;
  int data;         /* stack index of its datum; 0: none */
  pl_phi_inputs in; /* of a terminator at a cursor */
} pl_emission;

/* Starts one at the end of a block, which is set later, of the function of
** argument 1. */
static inline void pl_emission_start(lua_State *L, pl_emission *e) {
  e->top = lua_gettop(L);
  e->fn = 0;
  e->before.id = 0;
  e->spec = NULL;
}
/* The stack index of the function; can push. */
static inline int pl_emission_owner(lua_State *L, pl_emission *e) {
  if (e->fn == 0) e->fn = pl_handle_pushowner(L, 1);
  return e->fn;
}

#endif
