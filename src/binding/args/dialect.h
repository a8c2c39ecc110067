/* dialect.h: dialects, and the handles of their ops. */
#ifndef PL_ARGS_DIALECT_H
#define PL_ARGS_DIALECT_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* The fields of an op that are functions, or texts. */
typedef enum {
  PL_OP_EVAL,
  PL_OP_LLVM,
  PL_OP_C,
  PL_OP_LUA,
  PL_OP_DESCRIBE,
  PL_OP_SMT, /* a text */
  PL_OP_FUNCTIONS
} pl_opfunction;

/* The userdata phial.Op. */
typedef struct {
  const ph_dialect *dialect;
  uint32_t index;
  bool env; /* eval is called with the env of the run */
} pl_ophandle;

/* Pushes a function of the op at `at`, a text instead of one, or nil. */
void pl_dialect_op_pushfunction(lua_State *L, int at, pl_opfunction which);

/* Replaces the dialect on top by the eval of that op of f, or by nil if it has
** none, or needs an env. */
void pl_dialect_pusheval(lua_State *L, const ph_func *f, ph_op op);

/* The function of that name; false: none. */
bool pl_dialect_op_findfunction(const char *name, pl_opfunction *which);

/* What all dialects of a function, or of a set of rules, can have together. */
enum {
  PL_DIALECT_OPS = PH_OPS_END - PH_OPS,
  PL_DIALECT_TYPES = UINT8_MAX - PH_TYPES
};

/* Raises an error unless there is room for d besides so many ops and types of
** other dialects. */
void pl_dialect_checkroom(lua_State *L, const ph_dialect *d, uint32_t nops,
                          uint32_t ntypes);
/* The dialect at `at`, or NULL. */
const ph_dialect *pl_dialect_test(lua_State *L, int at);

/* Attaches the dialects in the list at `arg`; fn: stack index of the function.
*/
void pl_dialect_attach_all(lua_State *L, pl_funcobj *h, int fn, int arg);
/* Attaches the dialects of the function c (from: its stack index). */
void pl_dialect_attach_those(lua_State *L, pl_funcobj *h, int fn, pl_funcobj *c,
                             int from);
/* Returns the op that the handle at `arg` means in h, and attaches its dialect;
** *spec, unless NULL, becomes the op's description.  fn 0: the function is that
** of argument 1. */
ph_op pl_dialect_attach_op(lua_State *L, pl_funcobj *h, int fn, int arg,
                           const ph_opspec **spec);

#pragma GCC visibility pop
#endif
