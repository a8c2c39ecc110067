/* variable.c: methods of variables. */
#include "binding/state/handle.h"
#include "binding/state/funcobj.h"
#include "binding/methods/module.h"

static int l_name(lua_State *L) {
  pl_handle *me = pl_handle_method(L, PL_UP_VAR, 0, 0);
  ph_str name = ph_var_name(pl_funcobj_look(L, me->host), (ph_var){me->id});
  lua_pushlstring(L, name.at, name.n);
  return 1;
}

static int l_type(lua_State *L) {
  pl_handle *me = pl_handle_method(L, PL_UP_VAR, 0, 0);
  ph_func *f = pl_funcobj_look(L, me->host);
  me->host->buf.n = 0;
  ph_print_type(&me->host->buf, f, ph_var_type(f, (ph_var){me->id}));
  lua_pushlstring(L, me->host->buf.at, me->host->buf.n);
  return 1;
}

static int l_id(lua_State *L) {
  pl_handle *me = pl_handle_method(L, PL_UP_VAR, 0, 0);
  pl_funcobj_look(L, me->host);
  lua_pushinteger(L, me->id);
  return 1;
}

const luaL_Reg pl_variable_methods[] = {
    {"name", l_name}, {"type", l_type}, {"id", l_id}, {NULL, NULL}};
