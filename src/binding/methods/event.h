/* event.h: a step of construction, as log functions get it. */
#ifndef PL_METHODS_EVENT_H
#define PL_METHODS_EVENT_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Pushes the event e of the function at fn; `source` (the stack index of a
** string, or nil) and `line` tell where the call was that caused it.  If a
** finalizer closes the function meanwhile, the event is not to be used. */
void pl_event_push(lua_State *L, int fn, ph_event e, int source, int line);

#pragma GCC visibility pop
#endif
