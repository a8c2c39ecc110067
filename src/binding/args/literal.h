/* literal.h: Lua booleans, numbers and strings as constants. */
#ifndef PL_ARGS_LITERAL_H
#define PL_ARGS_LITERAL_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

bool pl_literal_is(lua_State *L, int arg);
/* Its type where nothing else determines one. */
ph_type pl_literal_alone(lua_State *L, int arg);
bool pl_literal_fits(lua_State *L, int arg, ph_type type);
ph_value pl_literal_value(lua_State *L, ph_func *f, int arg, ph_type type);
/* The value of the constant that is made from i: wrapped to the width of the
** integer type and sign-extended, except for i1. */
lua_Integer pl_literal_wrap(ph_type type, lua_Integer i);
/* Pushes what a constant or a datum holds. */
void pl_literal_push(lua_State *L, const ph_func *f, ph_type type,
                     ph_data data);

#pragma GCC visibility pop
#endif
