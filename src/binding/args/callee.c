/* callee.c: what a call calls: a function, its name, or anything of Lua that
** can be called.
*/
#include "binding/args/callee.h"

#include "binding/state/error.h"

/* True for what can be called, and for its name; not for values of a function.
*/
static bool is_callee(lua_State *L, int arg) {
  int type = lua_type(L, arg);
  if (type == LUA_TUSERDATA)
    return pl_userdata_test(L, arg, PL_UP_BLOCK) == NULL &&
           pl_userdata_test(L, arg, PL_UP_VAR) == NULL &&
           pl_userdata_test(L, arg, PL_UP_VALUE) == NULL;
  return type == LUA_TFUNCTION || type == LUA_TSTRING || type == LUA_TTABLE;
}

static bool is_global(lua_State *L, int arg) {
  bool is;
  if (!lua_istable(L, arg) || !luaL_getmetafield(L, arg, "__symbol"))
    return false;
  lua_pop(L, 1);
  is = luaL_getmetafield(L, arg, "__call") == LUA_TNIL;
  if (!is) lua_pop(L, 1);
  return is;
}

void pl_callee_check(lua_State *L, pl_funcobj *h, int arg) {
  const pl_funcobj *c = pl_userdata_test(L, arg, PL_UP_FUNC);
  if (c != NULL && pl_userdata_isclosed(c))
    pl_error_arg(L, h, arg, "function '%s' is closed", c->source_name);
  if (is_global(L, arg))
    pl_error_arg(L, h, arg,
                 "callee expected: a function or a name, got a "
                 "phial.Global");
  if (!is_callee(L, arg))
    pl_error_arg(L, h, arg, "callee expected: a function or a name, got %g",
                 arg);
}

int pl_callee_resolve(lua_State *L, pl_funcobj *h, int fn, int arg) {
  if (lua_type(L, arg) != LUA_TSTRING) return arg;
  if (lua_getiuservalue(L, fn, PL_ITS_SYMBOLS) == LUA_TTABLE) {
    lua_pushvalue(L, arg);
    lua_rawget(L, -2);
    if (pl_userdata_test(L, lua_gettop(L), PL_UP_FUNC) != NULL)
      return lua_gettop(L);
    if (!lua_isnil(L, -1))
      pl_error_arg(L, h, arg, "'%s' is a global: it cannot be called",
                   lua_tostring(L, arg));
  }
  return arg;
}

const pl_funcobj *pl_callee_signature(lua_State *L, int at) {
  const pl_funcobj *c = pl_userdata_test(L, at, PL_UP_FUNC);
  return c != NULL && pl_userdata_isusable(c) ? c : NULL;
}

ph_type pl_callee_type(const pl_funcobj *h, const pl_funcobj *c, ph_type type) {
  ph_str name, dialect;
  if (type < PH_TYPES || h == c) return type;
  name = ph_type_name(c->f, type);
  dialect = ph_type_dialect(c->f, type);
  for (uint32_t t = PH_TYPES; t < PH_TYPES + h->ntypes; t++)
    /* a dialect's strings are the same for all functions */
    if (ph_type_name(h->f, (ph_type)t).at == name.at &&
        ph_type_dialect(h->f, (ph_type)t).at == dialect.at)
      return (ph_type)t;
  return PH_NOTYPE;
}

ph_type pl_callee_wants(const pl_funcobj *h, const pl_funcobj *c, int i) {
  ph_type type;
  if ((uint32_t)i >= ph_value_nparams(c->f)) return PH_NOTYPE;
  type = ph_value_type(c->f, ph_value_param(c->f, (uint32_t)i));
  return pl_callee_type(h, c, type);
}
