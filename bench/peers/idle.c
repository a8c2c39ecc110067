/* idle.c: phial's Lua interface without a core: measures the calls alone.
**
** A Lua module with the functions and methods that bench/lib/replayer.lua and
** examples/luac call.  They check handles by metatable, as phial does, and make
** userdata where phial makes handles; no function is constructed.  No binding
** can be faster than this.
*/
#include "lauxlib.h"
#include "lua.h"

/* Upvalues of every function: the metatables, and their addresses. */
enum { FUNCTION = 1, BLOCK, VARIABLE, VALUE, KINDS };

typedef struct {
  void *function;
  unsigned id;
} handle;

static handle *check(lua_State *L, int arg, int kind) {
  const void *const *kinds = lua_touserdata(L, lua_upvalueindex(KINDS));
  if (!lua_getmetatable(L, arg) || lua_topointer(L, -1) != kinds[kind])
    luaL_typeerror(L, arg, "another");
  return lua_touserdata(L, arg);
}

/* A handle of the function at index fn. */
static int push(lua_State *L, int fn, int kind) {
  handle *it = lua_newuserdatauv(L, sizeof *it, 1);
  it->function = lua_touserdata(L, fn);
  it->id = 0;
  lua_pushvalue(L, lua_upvalueindex(kind));
  lua_setmetatable(L, -2);
  lua_pushvalue(L, fn);
  lua_setiuservalue(L, -2, 1);
  return 1;
}

static int l_fn(lua_State *L) {
  lua_newuserdatauv(L, sizeof(handle), 0);
  lua_pushvalue(L, lua_upvalueindex(FUNCTION));
  lua_setmetatable(L, -2);
  return 1;
}

static int l_block(lua_State *L) {
  check(L, 1, FUNCTION);
  return push(L, 1, BLOCK);
}

static int l_var(lua_State *L) {
  check(L, 1, FUNCTION);
  return push(L, 1, VARIABLE);
}

static int l_const(lua_State *L) {
  check(L, 1, FUNCTION);
  return push(L, 1, VALUE);
}

static int l_finish(lua_State *L) {
  lua_settop(L, 1);
  return 1;
}

/* The stand-ins for values: the variables' handles. */
static int l_read(lua_State *L) {
  int n = lua_gettop(L) - 1;
  if (n > 4) luaL_checkstack(L, 2 * n + 8, NULL);
  check(L, 1, BLOCK);
  for (int i = 0; i < n; i++) check(L, i + 2, VARIABLE);
  for (int i = 0; i < n; i++) lua_pushvalue(L, i + 2);
  return n;
}

static int l_write(lua_State *L) {
  check(L, 1, BLOCK);
  check(L, 2, VARIABLE);
  return 0;
}

static int l_let(lua_State *L) {
  check(L, 1, BLOCK);
  check(L, 2, VARIABLE);
  return 0;
}

static int l_end(lua_State *L) {
  check(L, 1, BLOCK);
  return 0;
}

/* An op is how many results it has. */
static int l_emit(lua_State *L) {
  int results = (int)lua_tointeger(L, 2), fn;
  check(L, 1, BLOCK);
  if (results == 0) return 0;
  lua_getiuservalue(L, 1, 1);
  fn = lua_gettop(L);
  for (int i = 0; i < results; i++) push(L, fn, VALUE);
  return results;
}

/* What ops of the table on top shall be. */
static lua_Integer count_results(lua_State *L) {
  if (lua_getfield(L, -1, "results") == LUA_TNUMBER)
    return lua_tointeger(L, -1);
  return lua_getfield(L, -2, "result") != LUA_TNIL;
}

static int l_dialect(lua_State *L) {
  lua_settop(L, 2);
  lua_newtable(L);
  for (lua_pushnil(L); lua_next(L, 2) != 0; lua_settop(L, 4)) {
    lua_pushinteger(L, count_results(L));
    lua_pushvalue(L, 4);
    lua_insert(L, -2);
    lua_settable(L, 3);
  }
  lua_settop(L, 3);
  return 1;
}

static void add(lua_State *L, int table, const luaL_Reg *r) {
  for (; r->name != NULL; r++) {
    for (int i = FUNCTION; i <= KINDS; i++) lua_pushvalue(L, i);
    lua_pushcclosure(L, r->func, KINDS);
    lua_setfield(L, table, r->name);
  }
}

static void push_kinds(lua_State *L) {
  const void **kinds = lua_newuserdatauv(L, KINDS * sizeof *kinds, 0);
  for (int i = FUNCTION; i < KINDS; i++) kinds[i] = lua_topointer(L, i);
}

LUAMOD_API int luaopen_idle(lua_State *L) {
  static const luaL_Reg of_functions[] = {
      {"block", l_block}, {"entry", l_block},    {"var", l_var},
      {"const", l_const}, {"finish", l_finish},  {"__close", l_finish},
      {"param", l_var},   {"set_loc", l_finish}, {NULL, NULL}};
  static const luaL_Reg of_blocks[] = {
      {"read", l_read},  {"write", l_write}, {"let", l_let},
      {"seal", l_end},   {"jump", l_end},    {"ret", l_end},
      {"branch", l_end}, {"emit", l_emit},   {NULL, NULL}};
  static const luaL_Reg of_module[] = {
      {"fn", l_fn}, {"dialect", l_dialect}, {NULL, NULL}};
  lua_settop(L, 0);
  for (int i = FUNCTION; i < KINDS; i++) {
    lua_newtable(L);
    lua_pushvalue(L, i);
    lua_setfield(L, i, "__index");
  }
  push_kinds(L);
  add(L, FUNCTION, of_functions);
  add(L, BLOCK, of_blocks);
  lua_newtable(L);
  add(L, lua_gettop(L), of_module);
  return 1;
}
