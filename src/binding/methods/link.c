/* link.c: functions as parts of a module, and declarations.
**
** The module itself is made in Lua (phial.module).  A function has it, and the
** table of its symbols, as user values: a call by name looks the callee up.
*/
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/method.h"

/* phial.core.join(fn, module, symbols): makes the function part of the module;
** symbols: functions and other things of the module, by name */
static int l_join(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_UP_FUNC);
  pl_arg_count(L, 3, 3);
  pl_arg_table(L, 3);
  pl_access_read(L, h);
  lua_setiuservalue(L, 1, PL_ITS_SYMBOLS);
  lua_setiuservalue(L, 1, PL_ITS_MODULE);
  return 0;
}

/* phial.core.declare(fn, variadic): makes a new function a declaration */
static int l_declare(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_UP_FUNC);
  pl_access_open(L, h);
  ph_func_declare(h->f, lua_toboolean(L, 2));
  pl_access_notecomplete(h);
  return 0;
}

/* fn:module(): the module that it is part of, or nil */
static int l_module(lua_State *L) {
  pl_access_read(L, pl_arg_method(L, PL_UP_FUNC, 0, 0));
  lua_getiuservalue(L, 1, PL_ITS_MODULE);
  return 1;
}

/* fn:is_declaration() */
static int l_is_declaration(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, 0, 0);
  lua_pushboolean(L, ph_func_isdeclaration(pl_access_read(L, h)));
  return 1;
}

/* fn:is_variadic() */
static int l_is_variadic(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, 0, 0);
  lua_pushboolean(L, ph_func_isvariadic(pl_access_read(L, h)));
  return 1;
}

const pl_method pl_link_methods[] = {
    {PL_OF_MODULE, "join", l_join},
    {PL_OF_MODULE, "declare", l_declare},
    {PL_OF_FUNC, "module", l_module},
    {PL_OF_FUNC, "is_declaration", l_is_declaration},
    {PL_OF_FUNC, "is_variadic", l_is_variadic},
    {0},
};
