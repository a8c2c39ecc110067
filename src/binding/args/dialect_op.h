/* dialect_op.h: the ops of dialects: their descriptions and handles. */
#ifndef PL_ARGS_DIALECT_OP_H
#define PL_ARGS_DIALECT_OP_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* The fields of an op that are functions, in the order of pl_opfunction. */
typedef enum {
  PL_OP_EVAL,
  PL_OP_LLVM,
  PL_OP_C,
  PL_OP_DESCRIBE,
  PL_OP_FUNCTIONS
} pl_opfunction;

/* The userdata phial.Op. */
typedef struct {
  const ph_dialect *dialect;
  uint32_t index;
  bool env; /* eval is called with the env of the run */
} pl_ophandle;

/* Stack indices of phial.dialect: its arguments, the dialect, and a table that
** keeps alive what the dialect points to. */
enum { PL_AT_NAME = 1, PL_AT_OPS, PL_AT_TYPES, PL_AT_DIALECT, PL_AT_ANCHOR };

/* Returns so many bytes, all 0, that the anchor keeps alive. */
void *pl_dialect_op_anchored(lua_State *L, size_t bytes);
/* Returns the string at `at`, which the anchor keeps alive. */
const char *pl_dialect_op_anchoredname(lua_State *L, int at);
/* True if the value at `at` is an identifier. */
bool pl_dialect_op_isname(lua_State *L, int at);
/* True if d, or phial itself, has a type of this name: *type. */
bool pl_dialect_op_findtype(const ph_dialect *d, const char *name,
                            ph_type *type);
/* Reads the description at `at` into *spec, which is in the array d->ops and
** has its name, and pushes the op's handle.  The stack is that of
** phial.dialect. */
void pl_dialect_op_read(lua_State *L, const ph_dialect *d, ph_opspec *spec,
                        int at);
/* Pushes a function of the op at `at`, or nil. */
void pl_dialect_op_pushfunction(lua_State *L, int at, pl_opfunction which);

#pragma GCC visibility pop
#endif
