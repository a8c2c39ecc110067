/* new_function.h: phial.fn. */
#ifndef PL_METHODS_NEW_FUNCTION_H
#define PL_METHODS_NEW_FUNCTION_H

#include "lua.h"

int pl_new_function(lua_State *L); /* phial.fn(name, params, result, opts) */

#endif
