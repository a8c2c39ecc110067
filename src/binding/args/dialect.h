/* dialect.h: dialects. */
#ifndef PL_ARGS_DIALECT_H
#define PL_ARGS_DIALECT_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* What all dialects of a function, or of a set of rules, can have together. */
enum {
  PL_DIALECT_OPS = UINT16_MAX - PH_OPS,
  PL_DIALECT_TYPES = UINT8_MAX - PH_TYPES
};

/* Raises an error unless there is room for d besides so many ops and types of
** other dialects. */
void pl_dialect_checkroom(lua_State *L, const ph_dialect *d, uint32_t nops,
                          uint32_t ntypes);
/* The dialect at `at`, or NULL. */
const ph_dialect *pl_dialect_test(lua_State *L, int at);

#pragma GCC visibility pop
#endif
