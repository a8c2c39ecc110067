/* variable.c: methods of variables. */
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/method.h"

static int l_name(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_VAR, 0, 0);
  ph_str name = ph_var_name(pl_access_read(L, me->owner), (ph_var){me->id});
  lua_pushlstring(L, name.at, name.n);
  return 1;
}

static int l_type(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_VAR, 0, 0);
  ph_func *f = pl_access_read(L, me->owner);
  me->owner->buf.n = 0;
  ph_print_type(&me->owner->buf, f, ph_var_type(f, (ph_var){me->id}));
  lua_pushlstring(L, me->owner->buf.at, me->owner->buf.n);
  return 1;
}

static int l_id(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_VAR, 0, 0);
  pl_access_read(L, me->owner);
  lua_pushinteger(L, me->id);
  return 1;
}

const pl_method pl_variable_methods[] = {
    {PL_OF_VAR, "name", l_name},
    {PL_OF_VAR, "type", l_type},
    {PL_OF_VAR, "id", l_id},
    {0},
};
