/* payload.h: the Lua value that an instruction carries. */
#ifndef PL_ARGS_PAYLOAD_H
#define PL_ARGS_PAYLOAD_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Keeps the Lua value at `arg` alive (fn: stack index of the function) if the
** core cannot hold it; then makes the datum for it. */
void pl_payload_keep(lua_State *L, pl_funcobj *h, int fn, int arg);
ph_data pl_payload_of(lua_State *L, pl_funcobj *h, int arg);

/* The datum of a symbolic op: a name, or a thing that has one. */
typedef struct {
  int at, name;       /* stack indices; a name is its own */
  lua_Integer number; /* under which the thing is kept; 0: not yet */
} pl_symbol;

/* Do the same for a symbolic op; pushes the name of what is at `arg`, which can
** call a metamethod __symbol. */
pl_symbol pl_payload_keepsymbol(lua_State *L, pl_funcobj *h, int fn, int arg);
ph_data pl_payload_ofsymbol(lua_State *L, pl_funcobj *h, const pl_symbol *s);
/* Checks that it is a global, a function of phial, or a name. */
void pl_payload_checkaddress(lua_State *L, pl_funcobj *h, int arg);

#pragma GCC visibility pop
#endif
