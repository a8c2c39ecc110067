/* dialect.h: dialects and the handles of their ops. */
#ifndef PL_ARGS_DIALECT_H
#define PL_ARGS_DIALECT_H

#include "binding/state/userdata.h"

/* The userdata phial.Op. */
typedef struct {
  const ph_dialect *dialect;
  uint32_t index;
} pl_ophandle;

/* The dialect at `at`, or NULL. */
const ph_dialect *pl_dialect_test(lua_State *L, int at);

#endif
