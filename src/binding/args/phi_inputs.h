/* phi_inputs.h: what edges bring: operands of phis, {[phi] = value}; refined
** variables, {refine = {x, ...}}.
*/
#ifndef PL_ARGS_PHI_INPUTS_H
#define PL_ARGS_PHI_INPUTS_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

typedef struct {
  uint32_t n;
  int arg;  /* number of the argument that holds them */
  int list; /* stack index of the list of phi, value, phi, ... */
  ph_incoming *at;
  uint32_t *phis; /* sorted */
} pl_phi_inputs;

/* Copies the table at `at`, which came with argument `arg`, unless it is nil;
** pushes. */
void pl_phi_inputs_take(lua_State *L, pl_phi_inputs *in, int at, int arg);
/* Checks that it has a value for each phi of the n blocks in `news`, which are
** sorted, for an edge from b, and nothing else. */
void pl_phi_inputs_check(lua_State *L, pl_funcobj *h, ph_block b,
                         pl_phi_inputs *in, const ph_block *news, uint32_t n);
/* Makes constants of the literals. */
void pl_phi_inputs_make(lua_State *L, ph_func *f, pl_phi_inputs *in);

enum { PL_REFINEMENTS_FEW = 4 };
/* The variables that a branch refines. */
typedef struct {
  uint32_t n;
  bool split;
  ph_var *vars;
  ph_var few[PL_REFINEMENTS_FEW];
} pl_refinements;

/* Takes the options of a terminator at `at`, or nil; can push. */
void pl_refinements_take(lua_State *L, pl_funcobj *h, int at,
                         pl_refinements *r);

#pragma GCC visibility pop
#endif
