/* method.h: how a file lists the functions that it gives to Lua.
**
** Each file with methods has one table, pl_FILE_methods, which ends with {0} and
** is listed here; module.c registers the tables.
*/
#ifndef PL_STATE_METHOD_H
#define PL_STATE_METHOD_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* What the function belongs to: the module, or kinds of userdata. */
enum {
  PL_OF_MODULE = 1,
#define PL_OF_KIND(kind, name) PL_OF_##kind = 1 << PL_KIND_##kind,
  PL_EACH_KIND(PL_OF_KIND)
#undef PL_OF_KIND
};
/* The end of a block; and all that emits instructions. */
enum {
  PL_OF_END = PL_OF_BLOCK | PL_OF_FUNC,
  PL_OF_POSITION = PL_OF_END | PL_OF_CURSOR
};

/* The name of a row that adds a method for each op (module.c); the upvalue
** PL_UP_OPNUM tells which op was called. */
#define PL_EACH_OP "*"

typedef struct {
  int of;           /* a set of PL_OF_ */
  const char *name; /* "__...": a metamethod */
  lua_CFunction run;
} pl_method;

/* The files that have a table of methods, in the order of src/layers. */
#define PL_METHOD_FILES(X) \
  X(error);                \
  X(arg);                  \
  X(handle);               \
  X(funcobj);              \
  X(payload);              \
  X(dialect);              \
  X(classes);              \
  X(ruleset);              \
  X(callback);             \
  X(cursor);               \
  X(terminator);           \
  X(emit);                 \
  X(phi);                  \
  X(write);                \
  X(edit);                 \
  X(edge);                 \
  X(copy);                 \
  X(repair);               \
  X(space);                \
  X(library);              \
  X(analysis);             \
  X(leave);                \
  X(program);              \
  X(solution);             \
  X(solve);                \
  X(language);             \
  X(unit);                 \
  X(rowfunc);              \
  X(writer);               \
  X(log);                  \
  X(new_function);         \
  X(finish);               \
  X(function);             \
  X(getters);              \
  X(text);                 \
  X(block);                \
  X(value);                \
  X(variable_access);      \
  X(rule_check);           \
  X(rule_explain);         \
  X(rule_tree);            \
  X(module)

#define PL_DECLARE_METHODS(file) extern const pl_method pl_##file##_methods[]
PL_METHOD_FILES(PL_DECLARE_METHODS);

#pragma GCC visibility pop
#endif
