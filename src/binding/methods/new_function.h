/* new_function.h: phial.fn. */
#ifndef PL_METHODS_NEW_FUNCTION_H
#define PL_METHODS_NEW_FUNCTION_H

#include "lua.h"

#include "phial.h"
#pragma GCC visibility push(hidden)

/* The names of the variants of construction, by ph_construction. */
#define PL_CONSTRUCTIONS (PH_OPERAND + 1)
extern const char *const pl_constructions[PL_CONSTRUCTIONS];

int pl_new_function(lua_State *L); /* phial.fn(name, params, result, opts) */

#pragma GCC visibility pop
#endif
