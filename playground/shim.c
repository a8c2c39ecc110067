/* shim.c: Lua with phial, for a web worker.
**
** The worker calls functions of playground/lua/session.lua by name, with strings;
** each returns a string. What Lua loads is in files.c, which the build makes.
*/
#include <stdlib.h>
#include <string.h>

#include <emscripten.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "files.h"

int luaopen_phial_core(lua_State *L);
int luaopen_lpeg(lua_State *L);

static lua_State *state;

/* {== Modules ============================================================== */

static int compare(const void *name, const void *file) {
  return strcmp(name, ((const struct file *)file)->name);
}

/* A searcher: modules are found by name only. */
static int search(lua_State *L) {
  const char *name = luaL_checkstring(L, 1);
  const struct file *file =
      bsearch(name, files, file_count, sizeof *files, compare);
  if (file == NULL) {
    lua_pushfstring(L, "the playground has no module '%s'", name);
    return 1;
  }
  if (luaL_loadbufferx(L, (const char *)file->text, file->size, file->chunk,
                       "t") != LUA_OK)
    return lua_error(L);
  return 1;
}

static void preload(lua_State *L, const char *name, lua_CFunction open) {
  luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_PRELOAD_TABLE);
  lua_pushcfunction(L, open);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

/* }== Calls ================================================================ */

static int start(lua_State *L) {
  luaL_openlibs(L);
  preload(L, "phial.core", luaopen_phial_core);
  preload(L, "lpeg", luaopen_lpeg);
  lua_getglobal(L, "package");
  lua_getfield(L, -1, "searchers");
  lua_pushcfunction(L, search);
  lua_rawseti(L, -2, 2);
  lua_pushinteger(L, 3);
  lua_pushnil(L);
  lua_settable(L, -3);
  lua_pushinteger(L, 4);
  lua_pushnil(L);
  lua_settable(L, -3);
  lua_getglobal(L, "require");
  lua_pushliteral(L, "phial.playground.session");
  lua_call(L, 1, 1);
  return 1;
}

/* Makes the state, with the session as its only value. Returns NULL or why it
** cannot. */
EMSCRIPTEN_KEEPALIVE const char *playground_start(void) {
  state = luaL_newstate();
  if (state == NULL) return "not enough memory";
  lua_pushcfunction(state, start);
  return lua_pcall(state, 0, 1, 0) == LUA_OK ? NULL : lua_tostring(state, -1);
}

/* Pushes an argument of the next call. */
EMSCRIPTEN_KEEPALIVE void playground_push(const char *text, size_t size) {
  lua_pushlstring(state, text, size);
}

/* Calls a function of the session with what was pushed. Returns its result, or
** the message of its error, for playground_result. */
EMSCRIPTEN_KEEPALIVE int playground_call(const char *name) {
  lua_getfield(state, 1, name);
  lua_insert(state, 2);
  return lua_pcall(state, lua_gettop(state) - 2, 1, 0);
}

EMSCRIPTEN_KEEPALIVE const char *playground_result(void) {
  return luaL_tolstring(state, -1, NULL);
}

EMSCRIPTEN_KEEPALIVE size_t playground_size(void) {
  size_t size;
  lua_tolstring(state, -1, &size);
  return size;
}

/* Drops the result. */
EMSCRIPTEN_KEEPALIVE void playground_done(void) { lua_settop(state, 1); }

/* }========================================================================= */
