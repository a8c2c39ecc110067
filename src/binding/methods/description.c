/* description.c: what texts say of data that only Lua knows.
**
** All is asked before anything is printed: then no Lua runs, and nothing is
** allocated, while the core prints.
*/
#include "binding/methods/description.h"

#include "binding/args/dialect.h"
#include "binding/state/access.h"

/* Stack indices of `ask`. */
enum { DATUM = 1, OP_NAME, DIALECT };

/* Pushes the function `describe` of the op named OP_NAME of DIALECT, or nil. */
static void push_describe(lua_State *L) {
  if (!luaL_getmetafield(L, DIALECT, "__index")) {
    lua_pushnil(L);
    return;
  }
  lua_getfield(L, -1, lua_tostring(L, OP_NAME));
  if (lua_isuserdata(L, -1))
    pl_dialect_op_pushfunction(L, lua_gettop(L), PL_OP_DESCRIBE);
}

/* Pushes what is to be said of the datum, or nil. */
static int ask(lua_State *L) {
  size_t n;
  push_describe(L);
  if (lua_isfunction(L, -1)) {
    lua_pushvalue(L, DATUM);
    lua_call(L, 1, 1);
  } else if (luaL_getmetafield(L, DATUM, "__tostring")) {
    luaL_tolstring(L, DATUM, &n);
  } else {
    lua_pushnil(L);
  }
  if (!lua_isnil(L, -1)) luaL_tolstring(L, -1, &n);
  return 1;
}

/* Pushes what is to be said of v, whose datum has that number, or nil. */
static void describe(lua_State *L, const pl_funcobj *h, int fn, ph_value v,
                     uint64_t number) {
  ph_op op = ph_value_op(h->f, v);
  ph_str name = ph_op_name(h->f, op), dialect = ph_op_dialect(h->f, op);
  lua_pushcfunction(L, ask);
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  lua_rawgeti(L, -1, (lua_Integer)number);
  lua_replace(L, -2);
  lua_pushlstring(L, name.at, name.n);
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  lua_pushlstring(L, dialect.at, dialect.n);
  lua_rawget(L, -2);
  lua_replace(L, -2);
  if (lua_pcall(L, 3, 1, 0) != LUA_OK) {
    lua_pop(L, 1);
    lua_pushliteral(L, "?");
  }
}

/* The functions that are called can change h: nothing is known from one value
** to the next. */
static void describe_all(lua_State *L, pl_funcobj *h, int fn) {
  for (uint32_t id = 1; pl_userdata_isusable(h) && id <= ph_value_count(h->f);
       id++) {
    ph_value v = {id};
    ph_data data;
    if (ph_value_dropped(h->f, v) || ph_value_resolve(h->f, v).id != id ||
        !ph_some(ph_value_block(h->f, v)))
      continue;
    data = ph_value_data(h->f, v);
    if (data.tag != PH_DATA_HOST || data.bits > h->nkept) continue;
    describe(L, h, fn, v, data.bits);
    lua_rawseti(L, -2, id);
  }
}

/* Appends the description of v in one line of printable characters. */
static void append(void *ud, ph_strbuf *b, ph_value v) {
  lua_State *L = ud;
  size_t n;
  const char *s;
  lua_rawgeti(L, -1, v.id);
  s = lua_tolstring(L, -1, &n);
  for (size_t i = 0; s != NULL && i < n && i < 200; i++) {
    char c = (unsigned char)s[i] < ' ' || s[i] == 0x7f ? ' ' : s[i];
    ph_strbuf_add(b, (ph_str){&c, 1});
  }
  lua_pop(L, 1);
}

void pl_description_begin(lua_State *L, pl_funcobj *h, int fn) {
  luaL_checkstack(L, 16, NULL);
  lua_newtable(L);
  describe_all(L, h, fn);
  pl_access_read(L, h);
  ph_print_sethost(h->f, append, L);
}

void pl_description_end(pl_funcobj *h) {
  if (!h->closed) ph_print_sethost(h->f, NULL, NULL);
}
