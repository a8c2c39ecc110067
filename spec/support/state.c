/* state.c: runs scripts in Lua states of their own, where chosen allocations
** fail or start the garbage collector.
**
** A Lua state asks its allocator for all memory, so every allocation can be
** chosen in turn.  To collect there, the allocator restarts the stopped
** collector: a full cycle, with finalizers, runs where Lua next lets it.  A
** piece of memory stores its size, which checks the sizes that Lua and phial
** pass when they resize or free it; a piece that grows always moves.
*/
#include <setjmp.h>
#include <stdint.h>

#include "lauxlib.h"
#include "lua.h"
#include "lualib.h"
#include "../c/pieces.h"

typedef struct {
  lua_State *L;
  lua_Integer count;       /* allocations while armed */
  lua_Integer from, until; /* those that fail, or collect */
  bool armed, collects;
  bool generational; /* the collector's mode; else incremental */
  bool closed;       /* by quit */
  jmp_buf out;
  pieces pieces;
} memory;

/*
** {== The allocator ==================================================
*/

/* True if this allocation is to fail or collect. */
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

/* quit(): closes the state from within the script, as os.exit(true, true). */
static int l_quit(lua_State *L) {
  memory *m = lua_touserdata(L, lua_upvalueindex(1));
  m->armed = false;
  m->closed = true;
  lua_close(m->L);
  longjmp(m->out, 1);
}

/* Steps are whole cycles; in generational mode, collections of young objects or
** of all follow as soon as memory has grown. */
static void choose_mode(memory *m) {
#if LUA_VERSION_NUM < 505
  if (m->generational)
    lua_gc(m->L, LUA_GCGEN, 1, 1);
  else
    lua_gc(m->L, LUA_GCINC, 1000, 1000, 100);
#else
  if (m->generational) lua_gc(m->L, LUA_GCGEN);
#endif
}

/* Pushes the two functions that the script returns; false, with an error
** message on top, when it fails. */
static bool prepare(memory *m, lua_State *from, const char *script) {
  lua_State *L = m->L;
  luaL_openlibs(L);
  lua_pushlightuserdata(L, m);
  lua_pushcclosure(L, l_quit, 1);
  lua_setglobal(L, "quit");
  copy_field(L, from, "path");
  copy_field(L, from, "cpath");
  if (luaL_loadstring(L, script) != LUA_OK) return false;
  if (lua_pcall(L, 0, 2, 0) != LUA_OK) return false;
  lua_gc(L, LUA_GCCOLLECT);
  if (!m->collects) return true;
  lua_gc(L, LUA_GCSTOP);
  choose_mode(m);
  return true;
}

/* Calls the work while armed, then the check; false as prepare. */
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

/* Of a script that quits, only the memory is checked. */
static bool run(memory *m, lua_State *from, const char *script) {
  if (setjmp(m->out) != 0) return true;
  return prepare(m, from, script) && work_and_check(m);
}

/* run(script, mode, from, until) -> error message or nil, allocations.
** The script returns two functions: the work, during which allocations from to
** until fail (mode nil), or collect in the "incremental" or "generational"
** mode, and a check that is called afterwards with what pcall
** returned for the work.  Its global quit() ends it. */
static int l_run(lua_State *L) {
  const char *script = luaL_checkstring(L, 1);
  const char *mode = luaL_optstring(L, 2, "");
  memory m = {0};
  m.collects = *mode != '\0';
  m.generational = *mode == 'g';
  m.from = luaL_checkinteger(L, 3);
  m.until = luaL_checkinteger(L, 4);
  m.L = lua_newstate(allocate, &m
#if LUA_VERSION_NUM >= 505
                     ,
                     0
#endif
  );
  lua_settop(L, 4);
  if (!run(&m, L, script)) lua_pushstring(L, luaL_tolstring(m.L, -1, NULL));
  if (!m.closed) lua_close(m.L);
  if (lua_gettop(L) == 4 && m.pieces.confused)
    lua_pushliteral(L, "a wrong size");
  if (lua_gettop(L) == 4 && m.pieces.held != 0)
    lua_pushliteral(L, "memory that was not given back");
  lua_settop(L, 5);
  lua_pushinteger(L, m.count);
  return 2;
}

/* }== Native code ==================================================== */

/* What the module loads as a library: the variable of its calls, and f(x) =
** x + 2. */
void *phial_state(void);
void phial_f(uint64_t *words);

void *phial_state(void) {
  static _Thread_local struct {
    void (*trap)(void *data, const char *why, size_t n);
    void (*call)(void *data, uint32_t site, const char *types, uint64_t *words);
    void *data;
    uintptr_t limit;
  } state;
  return &state;
}

void phial_f(uint64_t *words) { words[0] += 2; }

/* }=================================================================== */

LUAMOD_API int luaopen_spec_support_state(lua_State *L);

LUAMOD_API int luaopen_spec_support_state(lua_State *L) {
  lua_newtable(L);
  lua_pushcfunction(L, l_run);
  lua_setfield(L, -2, "run");
  return 1;
}
