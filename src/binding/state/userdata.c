/* userdata.c: the names of the kinds of userdata; functions of the module. */
#include "binding/state/userdata.h"

const char *const pl_userdata_names[PL_KINDS + 1] = {
    [PL_KIND_FUNC] = "phial.Function",     [PL_KIND_BLOCK] = "phial.Block",
    [PL_KIND_VAR] = "phial.Variable",      [PL_KIND_VALUE] = "phial.Value",
    [PL_KIND_ACCESS] = "phial.Access",     [PL_KIND_OP] = "phial.Op",
    [PL_KIND_CURSOR] = "phial.Cursor",     [PL_KIND_RULES] = "phial.Rules",
    [PL_KIND_LEAVING] = "phial.Leaving",   [PL_KIND_REPAIR] = "phial.Repair",
    [PL_KIND_SOLUTION] = "phial.Solution", [PL_KIND_LIBRARY] = "phial.Library",
    [PL_KIND_GROUP] = "phial.Group",       [PL_KIND_ACTOR] = "phial.Actor",
    [PL_KIND_EVENT] = "phial.Event",
};

void pl_userdata_pushfunction(lua_State *L, lua_CFunction run, const char *name,
                              int n) {
  lua_pushvalue(L, lua_upvalueindex(PL_UP_MODULE));
  lua_pushvalue(L, lua_upvalueindex(PL_UP_HANDLES));
  lua_pushstring(L, name);
  if (n > 0) lua_rotate(L, -PL_UP_NAME - n, PL_UP_NAME);
  lua_pushcclosure(L, run, PL_UP_NAME + n);
}
