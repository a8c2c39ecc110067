/* problem.h: the options of fn:solve, which pose a data-flow problem. */
#ifndef PL_ANALYSIS_PROBLEM_H
#define PL_ANALYSIS_PROBLEM_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Indices of the stack: the arguments of fn:solve and what pl_problem_take
** pushes.  TRANSFER: a table of functions by the number of the op. */
enum {
  PL_PROBLEM_FN = 1,
  PL_PROBLEM_OPTIONS,
  PL_PROBLEM_BOTTOM,
  PL_PROBLEM_JOIN,
  PL_PROBLEM_EDGE,
  PL_PROBLEM_EQUAL,
  PL_PROBLEM_WIDEN,
  PL_PROBLEM_TRANSFER,
  PL_PROBLEM_DEFAULT
};

typedef struct {
  ph_direction direction;
  lua_Integer limit; /* how often a fact may change */
} pl_problem;

/* Checks the options and pushes those that callbacks use, as listed above. */
pl_problem pl_problem_take(lua_State *L, pl_funcobj *h);

#pragma GCC visibility pop
#endif
