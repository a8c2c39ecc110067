/* protect.c: calls in protected mode that allocate nothing outside of it.
**
** A closure made for each call would have to be allocated: so there is one for
** all, which gets what it has to run as a light userdata.
*/
#include "binding/state/protect.h"

#include <string.h>

typedef struct {
  pl_protect_body *body;
  void *ud;
} request;

int pl_protect_callee(lua_State *L) {
  const request *r = lua_touserdata(L, -1);
  lua_pop(L, 1);
  return r->body(L, r->ud);
}

int pl_protect_run(lua_State *L, pl_protect_body *body, void *ud, int n) {
  request r = {body, ud};
  lua_getiuservalue(L, lua_upvalueindex(PL_UP_MODULE), PL_MODULE_PROTECTED);
  lua_insert(L, -n - 1);
  lua_pushlightuserdata(L, &r);
  return lua_pcall(L, n + 1, 1, 0);
}

bool pl_protect_hasyielded(lua_State *L) {
  return lua_type(L, -1) == LUA_TSTRING &&
         strcmp(lua_tostring(L, -1),
                "attempt to yield across a C-call boundary") == 0;
}
