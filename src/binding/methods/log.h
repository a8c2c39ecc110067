/* log.h: construction told step by step, to log functions. */
#ifndef PL_METHODS_LOG_H
#define PL_METHODS_LOG_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* What is to be logged, and how: a function, at stack index `at`, is called with
** each step; with `keeps` in its place, the function keeps a log for emitters.
** Neither: there is nothing to log. */
typedef struct {
  int at;
  bool keeps, detail;
} pl_logging;

/* Takes what is at stack index `from`: a function, a boolean, or {function,
** detail =} (without a function: keeps); pushes the function, or nil, and leaves
** nothing else.  `what` begins messages about argument `arg`. */
pl_logging pl_log_take(lua_State *L, int from, int arg, const char *what);
/* Starts to log h, whose stack index is `fn`; pushes the log if one is kept, or
** nil. */
void pl_log_start(lua_State *L, pl_funcobj *h, int fn, pl_logging logging);

#pragma GCC visibility pop
#endif
