/* refinements.h: the variables that a branch refines: {refine = {x, ...}}. */
#ifndef PL_ARGS_REFINEMENTS_H
#define PL_ARGS_REFINEMENTS_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

enum { PL_REFINEMENTS_FEW = 4 };

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
