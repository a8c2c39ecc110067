/* dialect_attach.c: dialects of a function.
**
** A function keeps its dialects alive by their names; their ops are numbered by
** the core.
*/
#include "binding/args/dialect_attach.h"

#include "binding/args/dialect.h"
#include "binding/args/dialect_op.h"
#include "binding/state/access.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"

/* Keeps the dialect at `at` alive, by its name. */
static void keep(lua_State *L, int fn, int at, const ph_dialect *d) {
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  if (lua_getfield(L, -1, d->name) != LUA_TNIL)
    pl_error_plain(L, "another dialect named '%s' is attached already",
                   d->name);
  lua_pop(L, 1);
  lua_pushvalue(L, at);
  lua_setfield(L, -2, d->name);
  lua_pop(L, 1);
}

/* at: an absolute index */
static void attach(lua_State *L, pl_funcobj *h, int fn, int at,
                   const ph_dialect *d) {
  const ph_block nowhere = {0};
  if (ph_type_ofdialect(h->f, d, PH_I1) == PH_NOTYPE) {
    pl_dialect_checkroom(L, d, h->nops, h->ntypes);
    keep(L, fn, at, d);
    pl_access_read(L, h); /* finalizers may have run */
    h->nops += d->nops;
    h->ntypes += d->ntypes;
  }
  pl_access_begin(h, "attaching a dialect to", nowhere);
  h->latest_op = ph_op_attachdialect(h->f, d);
  h->latest_dialect = d;
  h->doing = NULL;
}

void pl_dialect_attach_all(lua_State *L, pl_funcobj *h, int fn, int arg) {
  lua_Integer n;
  if (lua_isnoneornil(L, arg)) return;
  if (!lua_istable(L, arg))
    pl_error_plain(L, "option 'dialects': a list of dialects expected");
  n = (lua_Integer)lua_rawlen(L, arg);
  for (lua_Integer i = 1; i <= n; i++) {
    const ph_dialect *d;
    lua_rawgeti(L, arg, i);
    d = pl_dialect_test(L, lua_gettop(L));
    if (d == NULL)
      pl_error_plain(L, "option 'dialects': a list of dialects expected");
    attach(L, h, fn, lua_gettop(L), d);
    lua_pop(L, 1);
  }
}

ph_op pl_dialect_attach_op(lua_State *L, pl_funcobj *h, int fn, int arg,
                           const ph_opspec **spec) {
  const pl_ophandle *o = pl_userdata_peek(L, h->module, arg, PL_UP_OP);
  if (o == NULL)
    pl_error_arg(L, h, arg,
                 "op expected (a name or an op of a dialect), got %g", arg);
  if (h->latest_dialect != o->dialect) {
    int top = lua_gettop(L);
    if (fn == 0) fn = pl_handle_pushowner(L, 1);
    lua_getiuservalue(L, arg, 1);
    attach(L, h, fn, lua_gettop(L), o->dialect);
    lua_settop(L, top);
  }
  if (spec != NULL) *spec = &o->dialect->ops[o->index];
  return (ph_op)(h->latest_op + o->index);
}
