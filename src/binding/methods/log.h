/* log.h: construction told step by step, to log functions. */
#ifndef PL_METHODS_LOG_H
#define PL_METHODS_LOG_H

#include "binding/state/userdata.h"

/* Adds a log function, at stack index `log`, to h, at fn. */
void pl_log_start(lua_State *L, pl_funcobj *h, int fn, int log);

#endif
