/* attach.h: dialects and their ops. */
#ifndef PH_BINDING_ATTACH_H
#define PH_BINDING_ATTACH_H

#include "binding/emit/emit.h"

/* The userdata phial.Op. */
typedef struct {
  const ph_dialect *dialect;
  uint32_t index;
} ph_ophandle;

/* The dialect at `at`, or NULL. */
const ph_dialect *ph_dialect_test(lua_State *L, int at);
/* Sets e->op and e->spec to the op of a dialect, at `arg`; attaches it. */
void ph_attach_op(lua_State *L, ph_emission *e, int arg);
/* The same, where nothing is emitted (yet). */
ph_op ph_attach_opof(lua_State *L, ph_host *h, int fn, int arg);
/* Attaches the dialects in the list at `arg`. */
void ph_attach_all(lua_State *L, ph_host *h, int fn, int arg);

#endif
