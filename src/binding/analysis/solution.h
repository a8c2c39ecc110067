/* solution.h: the userdata phial.Solution: the facts of values. */
#ifndef PL_ANALYSIS_SOLUTION_H
#define PL_ANALYSIS_SOLUTION_H

#include "binding/analysis/analysis.h"
#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* User values of a solution: the function; the facts, by id of the value, of
** those that are above the bottom; the bottom; what other values than its
** operands a value depends on: by id, a table with the ids of the dependent
** ones as keys (nil: none). */
enum {
  PL_SOLUTION_OWNER = 1,
  PL_SOLUTION_FACTS,
  PL_SOLUTION_BOTTOM,
  PL_SOLUTION_LINKS,
  PL_SOLUTION_USERVALUES = PL_SOLUTION_LINKS
};

/* What its memory contains, too: the solver, and an array by value. */
typedef struct {
  pl_funcobj *owner;
  ph_solver *solver;
  uint32_t *changes; /* by value: how often its fact has changed */
  uint32_t version;  /* of the function */
  ph_value current;  /* the value that a callback evaluates, or none */
  bool linked;       /* a value depends on others than its operands */
  bool chooses;      /* not the facts of all values are needed */
  pl_between edges;  /* that were asked for last */
} pl_solution;

/* Pushes a solution without facts for the function h, which is at index fn. */
pl_solution *pl_solution_push(lua_State *L, pl_funcobj *h, int fn,
                              ph_direction direction);
/* Pushes the function by which callbacks ask for facts; at: the solution. */
void pl_solution_pushfact(lua_State *L, int at);
/* Lets all values that have asked for the fact of v, without having it as an
** operand, be evaluated again; at: the solution. */
void pl_solution_revisit(lua_State *L, int at, ph_value v);

#pragma GCC visibility pop
#endif
