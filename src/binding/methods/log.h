/* log.h: construction told step by step, to log functions. */
#ifndef PL_METHODS_LOG_H
#define PL_METHODS_LOG_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Adds a log function, at stack index `log`, to h, at fn; with details of
** look-ups if `detail`. */
void pl_log_start(lua_State *L, pl_funcobj *h, int fn, int log, bool detail);
/* True if the facade has passed a function to keep_log. */
bool pl_log_cankeep(lua_State *L);
/* Calls it, so that the function at fn keeps a log for emitters. */
void pl_log_keep(lua_State *L, int fn, bool detail);

#pragma GCC visibility pop
#endif
