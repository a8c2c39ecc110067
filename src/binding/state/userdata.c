/* userdata.c: the names of the kinds of userdata; functions of the module. */
#include "binding/state/userdata.h"

const char *const pl_userdata_names[PL_KINDS + 1] = {
    [PL_UP_FUNC] = "phial.Function",     [PL_UP_BLOCK] = "phial.Block",
    [PL_UP_VAR] = "phial.Variable",      [PL_UP_VALUE] = "phial.Value",
    [PL_UP_ACCESS] = "phial.Access",     [PL_UP_OP] = "phial.Op",
    [PL_UP_CURSOR] = "phial.Cursor",     [PL_UP_RULES] = "phial.Rules",
    [PL_UP_LEAVING] = "phial.Leaving",   [PL_UP_REPAIR] = "phial.Repair",
    [PL_UP_SOLUTION] = "phial.Solution", [PL_UP_LIBRARY] = "phial.Library",
    [PL_UP_GROUP] = "phial.Group",       [PL_UP_ACTOR] = "phial.Actor",
    [PL_UP_EVENT] = "phial.Event",
};

void pl_userdata_pushfunction(lua_State *L, lua_CFunction run, const char *name,
                              int n) {
  lua_pushvalue(L, lua_upvalueindex(PL_UP_MODULE));
  lua_pushvalue(L, lua_upvalueindex(PL_UP_HANDLES));
  lua_pushstring(L, name);
  if (n > 0) lua_rotate(L, -PL_UP_NAME - n, PL_UP_NAME);
  lua_pushcclosure(L, run, PL_UP_NAME + n);
}
