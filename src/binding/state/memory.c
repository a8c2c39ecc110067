/* memory.c: the memory of functions, from Lua's allocator.
**
** A pool shared by all functions of a Lua state keeps some of what closed ones
** give back.  When the allocator fails, the pool is emptied and a collection is
** run; when it fails again, an error is raised in the call in progress.
*/
#include "binding/state/memory.h"

enum { POOL = 0x80000 }; /* bytes kept for the next functions */

static void *allocate(lua_State *L, void *p, size_t old, size_t n) {
  void *ud;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  return alloc(ud, p, old, n);
}

/* Finalizers run in here, so the function takes no call meanwhile. */
static void *retry(pl_funcobj *h, void *p, size_t old, size_t n) {
  lua_State *L = h->L;
  ph_pool_empty(h->module->pool);
  h->collecting = true;
  lua_gc(L, LUA_GCCOLLECT);
  h->collecting = false;
  p = allocate(L, p, old, n);
  if (p == NULL) {
    lua_pushliteral(L, "not enough memory"); /* as Lua's own */
    lua_error(L);
  }
  return p;
}

/*
** {== The pool =======================================================
*/

/* Allocates and frees for the pool. */
static void *from_lua(void *ud, void *p, size_t old, size_t n) {
  pl_module *m = ud;
  pl_funcobj *h = m->asker;
  void *q = allocate(m->L, p, p != NULL ? old : 0, n);
  return q == NULL && n > 0 ? retry(h, p, old, n) : q;
}

void pl_memory_start(lua_State *L, pl_module *m) {
  const ph_mem from = {from_lua, m};
  m->L = L;
  m->asker = NULL;
  m->runs = (pl_slot_runs){NULL, 0, 0, 0, false};
  m->pool = (ph_pool *)(m + 1);
  ph_pool_init(m->pool, &from, POOL);
}

void pl_memory_close(lua_State *L, pl_module *m) {
  const ph_mem *mem = ph_pool_mem(m->pool);
  pl_slot_runs *r = &m->runs;
  m->L = L;
  if (r->next != NULL)
    mem->realloc(mem->ud, r->next, r->room * sizeof *r->next, 0);
  *r = (pl_slot_runs){NULL, 0, 0, 0, true};
  ph_pool_done(m->pool);
}

void *pl_memory_shared(pl_funcobj *h, void *p, size_t old, size_t n) {
  const ph_mem *mem = ph_pool_mem(h->module->pool);
  h->module->L = h->L;
  h->module->asker = h;
  return mem->realloc(mem->ud, p, old, n);
}

/* }== A function's own =============================================== */

void *pl_memory_own(void *ud, void *p, size_t old, size_t n) {
  pl_funcobj *h = ud;
  void *q;
  if (p == NULL) old = 0;
  q = pl_memory_shared(h, p, old, n);
  h->bytes += n - old;
  if (h->bytes < h->told) h->told = h->bytes;
  return q;
}

void pl_memory_step(lua_State *L, size_t bytes) {
#if LUA_VERSION_NUM >= 505
  lua_gc(L, LUA_GCSTEP, bytes);
#else
  lua_gc(L, LUA_GCSTEP, (int)(bytes / 1024));
#endif
}

void pl_memory_report(lua_State *L, pl_funcobj *h) {
  size_t told = h->told;
  if (h->bytes - told <= PL_MEMORY_GROWTH) return;
  h->told = h->bytes;
  if (lua_gc(L, LUA_GCISRUNNING)) pl_memory_step(L, h->bytes - told);
}

/* }=================================================================== */
