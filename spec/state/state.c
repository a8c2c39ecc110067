/* state.c: scripts in Lua states of their own, where memory runs out or the
** collector runs at the allocation that one says.
**
** A Lua state asks its allocator for all memory, so trouble can be made at each
** allocation in turn.  To collect there, the allocator starts the collector
** that was stopped: a whole cycle, with finalizers, runs at the next place where
** Lua may collect.  Pieces know their size, to check what Lua and phial say when
** they give them back; a piece that grows always moves.
*/
#include <stdint.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "../c/pieces.h"

typedef struct {
  lua_State *L;
  lua_Integer count;       /* allocations while there may be trouble */
  lua_Integer from, until; /* those that fail, or collect */
  bool armed, collects;
  pieces pieces;
} memory;

/*
** {== The allocator ==================================================
*/

/* Is it the turn of this allocation? */
static bool is_due(memory *m) {
  if (!m->armed) return false;
  m->count++;
  return m->count >= m->from && m->count <= m->until;
}

static void *allocate(void *ud, void *p, size_t old, size_t n) {
  memory *m = ud;
  if (n > (p != NULL ? old : 0) && is_due(m)) {
    if (!m->collects) return NULL;
    lua_gc(m->L, LUA_GCRESTART);
  }
  return pieces_realloc(&m->pieces, p, old, n);
}

/* }== Running a script =============================================== */

static void copy_field(lua_State *L, lua_State *from, const char *name) {
  lua_getglobal(from, "package");
  lua_getfield(from, -1, name);
  lua_getglobal(L, "package");
  lua_pushstring(L, lua_tostring(from, -1));
  lua_setfield(L, -2, name);
  lua_pop(L, 1);
  lua_pop(from, 2);
}

/* Leaves the two functions that the script returns; false: an error. */
static bool prepare(memory *m, lua_State *from, const char *script) {
  lua_State *L = m->L;
  luaL_openlibs(L);
  copy_field(L, from, "path");
  copy_field(L, from, "cpath");
  if (luaL_loadstring(L, script) != LUA_OK) return false;
  if (lua_pcall(L, 0, 2, 0) != LUA_OK) return false;
  lua_gc(L, LUA_GCCOLLECT);
  if (!m->collects) return true;
  lua_gc(L, LUA_GCSTOP);
#if LUA_VERSION_NUM < 505
  lua_gc(L, LUA_GCINC, 1000, 1000, 100); /* steps are whole cycles */
#endif
  return true;
}

/* Does the work in trouble, then checks in peace; false: an error. */
static bool work_and_check(memory *m) {
  lua_State *L = m->L;
  bool good;
  lua_insert(L, 1); /* the check */
  m->armed = true;
  good = lua_pcall(L, 0, 0, 0) == LUA_OK;
  m->armed = false;
  lua_pushboolean(L, good);
  lua_insert(L, 2);
  return lua_pcall(L, lua_gettop(L) - 1, 0, 0) == LUA_OK;
}

/* run(script, collects, from, until): nil or what went wrong, and the number of
** allocations.  The script returns what is to be done in trouble, and what to
** check afterwards: a function of whether there was no error, and the error. */
static int l_run(lua_State *L) {
  const char *script = luaL_checkstring(L, 1);
  memory m = {0};
  m.collects = lua_toboolean(L, 2);
  m.from = luaL_checkinteger(L, 3);
  m.until = luaL_checkinteger(L, 4);
  m.L = lua_newstate(allocate, &m
#if LUA_VERSION_NUM >= 505
                     ,
                     0
#endif
  );
  lua_settop(L, 4);
  if (!prepare(&m, L, script) || !work_and_check(&m))
    lua_pushstring(L, luaL_tolstring(m.L, -1, NULL));
  lua_close(m.L);
  if (lua_gettop(L) == 4 && m.pieces.confused)
    lua_pushliteral(L, "a wrong size");
  if (lua_gettop(L) == 4 && m.pieces.held != 0)
    lua_pushliteral(L, "memory that was not given back");
  lua_settop(L, 5);
  lua_pushinteger(L, m.count);
  return 2;
}

/* }=================================================================== */

LUAMOD_API int luaopen_spec_state(lua_State *L);

LUAMOD_API int luaopen_spec_state(lua_State *L) {
  lua_newtable(L);
  lua_pushcfunction(L, l_run);
  lua_setfield(L, -2, "run");
  return 1;
}
