/* lua.c: any bytes as a trace and as a module's text, which Lua reads: lua.lua
** says what must hold.
*/
#include <stdio.h>
#include <stdlib.h>

#include "fuzz.h"
#include "lauxlib.h"
#include "lualib.h"

extern int luaopen_phial_core(lua_State *L);

/* One input, kept in memory, is not worth more. */
static const size_t memory = (size_t)1 << 28;
static size_t taken;

static void *allocate(void *ud, void *p, size_t old, size_t n) {
  void *q;
  (void)ud;
  if (p == NULL) old = 0;
  if (n > old && taken + (n - old) > memory) return NULL;
  q = n > 0 ? realloc(p, n) : NULL;
  if (n == 0) free(p);
  if (n == 0 || q != NULL) taken += n - old;
  return q;
}

static lua_State *start(void) {
  lua_State *L = lua_newstate(allocate, NULL);
  luaL_openlibs(L);
  luaL_requiref(L, "phial.core", luaopen_phial_core, 0);
  lua_pop(L, 1);
  if (luaL_dofile(L, "fuzz/lua.lua") != LUA_OK)
    fuzz_fail("fuzz/lua.lua", fuzz_str(lua_tostring(L, -1)), fuzz_str(""));
  return L;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static lua_State *L;
  const char *text = (const char *)data;
  if (L == NULL) L = start();
  lua_pushvalue(L, -1);
  lua_pushlstring(L, text, size);
  if (lua_pcall(L, 1, 0, 0) != LUA_OK)
    fuzz_fail("Lua", fuzz_str(luaL_tolstring(L, -1, NULL)),
              (ph_str){text, size});
  return 0;
}
