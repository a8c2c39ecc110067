/* refinements.c: takes the variables that a branch refines. */
#include "binding/args/refinements.h"

#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"

void pl_refinements_take(lua_State *L, pl_funcobj *h, int at,
                         pl_refinements *r) {
  static const char *const known[] = {"refine", "split"};
  r->vars = r->few;
  if (lua_isnil(L, at)) return;
  pl_arg_table(L, at);
  pl_arg_fields(L, at, known, 2);
  r->split = h->split;
  if (pl_arg_field(L, at, "split") != LUA_TNIL)
    r->split = pl_arg_boolopt(L, at, "split");
  lua_pop(L, 1);
  if (pl_arg_field(L, at, "refine") == LUA_TTABLE)
    r->n = (uint32_t)lua_rawlen(L, -1);
  if (r->n > PL_REFINEMENTS_FEW) {
    r->vars = lua_newuserdatauv(L, r->n * sizeof *r->vars, 0);
    lua_insert(L, -2);
  }
  pl_access_open(L, h); /* finalizers may have run */
  if (!lua_istable(L, -1))
    pl_error_arg(L, h, at,
                 "option 'refine': a list of variables expected, got %g",
                 lua_gettop(L));
  for (uint32_t i = 0; i < r->n; i++)
    r->vars[i] = pl_handle_listvar(L, h, at, lua_gettop(L),
                                   "option 'refine': variable", i + 1);
  lua_pop(L, 1);
}
