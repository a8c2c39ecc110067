/* userdata.c: the names of the kinds of userdata; functions of the module. */
#include "binding/state/userdata.h"

const char *const pl_userdata_names[PL_KINDS + 1] = {
#define NAME(kind, name) [PL_KIND_##kind] = "phial." name,
    PL_EACH_KIND(NAME)};

int pl_userdata_pushunusable(lua_State *L, const pl_funcobj *h, int kind) {
  lua_pushfstring(L, "%s (%s)", pl_userdata_names[kind],
                  pl_userdata_isclosed(h) ? "closed" : "broken");
  return 1;
}

void pl_userdata_pushfunction(lua_State *L, lua_CFunction run, const char *name,
                              int n) {
  lua_pushvalue(L, lua_upvalueindex(PL_UP_MODULE));
  lua_pushvalue(L, lua_upvalueindex(PL_UP_HANDLES));
  lua_pushstring(L, name);
  if (n > 0) lua_rotate(L, -PL_UP_NAME - n, PL_UP_NAME);
  lua_pushcclosure(L, run, PL_UP_NAME + n);
}
