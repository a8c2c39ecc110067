/* native.c: what specs of native code need of C: Lua states in threads of their
** own, and a C function that native code calls and that uses Lua's API.
*/
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"

/*
** {== Calls from native code =========================================
*/

static lua_State *host;

/* Calls the global function `callback` with x in the state that has loaded this
** module last. */
int64_t phial_spec_callback(int64_t x);
int64_t phial_spec_callback(int64_t x) {
  int64_t result;
  lua_getglobal(host, "callback");
  lua_pushinteger(host, x);
  lua_call(host, 1, 1);
  result = lua_tointeger(host, -1);
  lua_pop(host, 1);
  return result;
}

/* }== Threads ======================================================== */

enum { THREADS = 8 };

/* A thread: what it is given, and what its script returns, or why it fails. */
typedef struct {
  const char *script, *path, *cpath;
  pthread_t thread;
  int number;
  char *result;
} job;

static void set_field(lua_State *L, const char *name, const char *value) {
  lua_getglobal(L, "package");
  lua_pushstring(L, value);
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
}

static void *run(void *argument) {
  job *j = argument;
  lua_State *L = luaL_newstate();
  if (L == NULL) return NULL;
  luaL_openlibs(L);
  set_field(L, "path", j->path);
  set_field(L, "cpath", j->cpath);
  if (luaL_loadstring(L, j->script) == LUA_OK) {
    lua_pushinteger(L, j->number);
    lua_pcall(L, 1, 1, 0);
  }
  j->result = strdup(luaL_tolstring(L, -1, NULL));
  lua_close(L);
  return NULL;
}

static const char *package_field(lua_State *L, const char *name) {
  lua_getglobal(L, "package");
  lua_getfield(L, -1, name);
  return lua_tostring(L, -1);
}

/* threads(n, script): runs the script in n threads at once, each in a state of
** its own and with its number; returns what they have returned, as strings. */
static int l_threads(lua_State *L) {
  job jobs[THREADS] = {{0}};
  int n = (int)luaL_checkinteger(L, 1);
  const char *script = luaL_checkstring(L, 2);
  pthread_attr_t attributes;
  luaL_argcheck(L, n > 0 && n <= THREADS, 1, "too many");
  /* as for the process, which native code asks how much it may take */
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)8 << 20);
  for (int i = 0; i < n; i++) {
    jobs[i].script = script;
    jobs[i].path = package_field(L, "path");
    jobs[i].cpath = package_field(L, "cpath");
    jobs[i].number = i + 1;
    if (pthread_create(&jobs[i].thread, &attributes, run, &jobs[i]) != 0)
      abort();
  }
  for (int i = 0; i < n; i++) pthread_join(jobs[i].thread, NULL);
  luaL_checkstack(L, n, NULL);
  for (int i = 0; i < n; i++) {
    lua_pushstring(L, jobs[i].result);
    free(jobs[i].result);
  }
  return n;
}

/* }=================================================================== */

LUAMOD_API int luaopen_spec_support_native(lua_State *L);
LUAMOD_API int luaopen_spec_support_native(lua_State *L) {
  host = L;
  lua_newtable(L);
  lua_pushcfunction(L, l_threads);
  lua_setfield(L, -2, "threads");
  return 1;
}
