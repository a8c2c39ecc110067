/* variable.c: methods of variables. */
#include "binding/state/handle.h"
#include "binding/state/funcobj.h"
#include "binding/methods/module.h"

static int l_name(lua_State *L) {
  ph_handle *me = ph_handle_method(L, PH_UP_VAR, 0, 0);
  ph_str name = ph_name_var(ph_host_look(L, me->host), (ph_var){me->id});
  lua_pushlstring(L, name.at, name.n);
  return 1;
}

static int l_type(lua_State *L) {
  ph_handle *me = ph_handle_method(L, PH_UP_VAR, 0, 0);
  ph_func *f = ph_host_look(L, me->host);
  me->host->buf.n = 0;
  ph_print_type(&me->host->buf, f, ph_ir_vartype(f, (ph_var){me->id}));
  lua_pushlstring(L, me->host->buf.at, me->host->buf.n);
  return 1;
}

static int l_id(lua_State *L) {
  ph_handle *me = ph_handle_method(L, PH_UP_VAR, 0, 0);
  ph_host_look(L, me->host);
  lua_pushinteger(L, me->id);
  return 1;
}

const luaL_Reg ph_variable_methods[] = {
    {"name", l_name}, {"type", l_type}, {"id", l_id}, {NULL, NULL}};
