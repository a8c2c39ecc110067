/* log.h: construction told step by step, to log functions. */
#ifndef PL_METHODS_LOG_H
#define PL_METHODS_LOG_H

#include "binding/state/userdata.h"

/* Adds a log function, at stack index `log`, to h, at fn; `detail`: with details
** of look-ups. */
void pl_log_start(lua_State *L, pl_funcobj *h, int fn, int log, bool detail);
/* Lets the function at fn keep a log for emitters, as the facade has said how;
** pl_log_cankeep: it has. */
bool pl_log_cankeep(lua_State *L);
void pl_log_keep(lua_State *L, int fn, bool detail);

#endif
