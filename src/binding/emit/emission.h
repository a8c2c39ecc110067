/* emission.h: an instruction to be made, as it is read from the stack. */
#ifndef PL_EMIT_EMISSION_H
#define PL_EMIT_EMISSION_H

#include "binding/args/payload.h"
#include "binding/args/operand.h"
#include "binding/args/phi_inputs.h"
#include "binding/state/access.h"
#include "binding/state/handle.h"
#pragma GCC visibility push(hidden)

typedef struct {
  pl_funcobj *h;
  int top; /* stack index of the last argument */
  int fn;  /* stack index of the function, 0: it is that of argument 1 */
  ph_block b;
  ph_value before; /* at a cursor: what it precedes; or none */
  ph_op op;
  const ph_opspec *spec; /* of op, if its handle was given */
  ph_type type;
  const pl_funcobj *callee; /* of a call, if its signature is known; or NULL */
  pl_operands operands;
  int data;    /* stack index of its datum; 0: none */
  int results; /* the number of results that is said, for ops that need it */
  pl_symbol symbol;      /* the same for a symbolic op; at 0: none */
  pl_phi_inputs in;      /* of a terminator at a cursor */
  pl_refinements refine; /* of a branch or switch */
} pl_emission;

/* Starts one at the end of a block, which is set later, of the function of
** argument 1. */
static inline void pl_emission_start(lua_State *L, pl_emission *e) {
  e->top = lua_gettop(L);
  e->fn = 0;
  e->before.id = 0;
  e->spec = NULL;
  e->results = 1;
  e->symbol.at = 0;
}
/* Checks the operands; variables among them are read where it is put, but not
** at a cursor. */
static inline void pl_emission_check(lua_State *L, pl_emission *e) {
  if (!ph_some(e->before)) e->operands.reads = e->b;
  if (e->operands.callee != NULL) /* finalizers may have closed it */
    e->operands.callee = pl_callee_signature(L, e->data);
  pl_operand_check(L, e->h, &e->operands, e->op, &e->type);
}
/* Takes the op, a name or a handle, at `arg`. */
void pl_emission_takeop(lua_State *L, pl_emission *e, int arg);
/* True if the op is a terminator. */
bool pl_emission_endsblock(const pl_emission *e);
/* Takes the datum from the table that may follow the arguments from `first` on;
** returns the index of the argument before that table. */
int pl_emission_takedata(lua_State *L, pl_emission *e, int first);
/* Takes the callee at `at`; its result has the type named at `type` (0: that of
** e->type).  nil there: the one of the callee's signature, if it is known;
** false: it is not needed. */
void pl_emission_takecallee(lua_State *L, pl_emission *e, int at, int type);
/* Keeps the datum alive, once the function is on the stack. */
void pl_emission_keep(lua_State *L, pl_emission *e);
/* Records the place of the caller, if it is asked for, or if the callee is a
** name that the module does not know yet. */
static inline void pl_emission_place(lua_State *L, const pl_emission *e) {
  if (e->symbol.at != 0 && e->symbol.at == e->symbol.name)
    pl_access_placeeach(L, e->h);
  else
    pl_access_here(L, e->h, PL_WHERE_ALL);
}
/* The number of results. */
int pl_emission_countresults(lua_State *L, const pl_emission *e);
/* Makes the instruction, once all is checked; returns none if a function of a
** rule fails. */
ph_value pl_emission_make(lua_State *L, pl_emission *e);
/* Makes the k-th result of v, k > 1. */
ph_value pl_emission_makeproj(const pl_emission *e, ph_value v, int k);
/* The stack index of the function; can push. */
static inline int pl_emission_owner(lua_State *L, pl_emission *e) {
  if (e->fn == 0) e->fn = pl_handle_pushowner(L, 1);
  return e->fn;
}

#pragma GCC visibility pop
#endif
