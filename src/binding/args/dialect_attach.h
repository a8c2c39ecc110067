/* dialect_attach.h: dialects and their ops. */
#ifndef PL_ARGS_DIALECT_ATTACH_H
#define PL_ARGS_DIALECT_ATTACH_H

#include "binding/emit/emit.h"

/* The userdata phial.Op. */
typedef struct {
  const ph_dialect *dialect;
  uint32_t index;
} pl_ophandle;

/* The dialect at `at`, or NULL. */
const ph_dialect *pl_dialect_test(lua_State *L, int at);
/* Sets e->op and e->spec to the op of a dialect, at `arg`; attaches it. */
void pl_dialect_attach_op(lua_State *L, pl_emission *e, int arg);
/* The same, where nothing is emitted (yet). */
ph_op pl_dialect_attach_opof(lua_State *L, pl_funcobj *h, int fn, int arg);
/* Attaches the dialects in the list at `arg`. */
void pl_dialect_attach_all(lua_State *L, pl_funcobj *h, int fn, int arg);

#endif
