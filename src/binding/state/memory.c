/* memory.c: the memory of functions, from Lua's allocator.
**
** A pool shared by all functions of a Lua state keeps some of what closed ones
** give back.  When the allocator fails, the pool is emptied and a collection is
** run; when it fails again, an error is raised in the call in progress.
**
** Lua drops an object whose finalizer fails, as it does at the limit of C calls
** or without memory, and has none for objects made while a state is closed; and
** what is in use when os.exit closes the state cannot end.  So all pieces of
** memory form a ring, and those that are left when the module is closed, last
** of all, are freed then.
*/
#include "binding/state/memory.h"

#include <string.h>

enum {
  LEAST_KEPT = 0x80000, /* bytes that the pool may keep in any case */
  WINDOW = 64           /* functions that are closed */
};

/*
** {== Pieces =========================================================
*/

/* Corrects the links to a piece that has moved. */
static void relink_piece(pl_piece *it) { it->prev->next = it->next->prev = it; }

static void free_piece(lua_State *L, pl_piece *it) {
  void *ud;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  it->prev->next = it->next;
  it->next->prev = it->prev;
  alloc(ud, it, it->size, 0);
}

void *pl_memory_piece(lua_State *L, pl_module *m, void *p, size_t old,
                      size_t n) {
  void *ud;
  lua_Alloc alloc = lua_getallocf(L, &ud);
  pl_piece *it =
      old > 0 ? ((pl_piece *)(void *)((char *)p - sizeof(pl_piece))) : NULL;
  size_t size = sizeof *it + n;
  if (n == 0) {
    if (it != NULL) free_piece(L, it);
    return NULL;
  }
  it = alloc(ud, it, it != NULL ? it->size : 0, size);
  if (it == NULL) return NULL;
  it->size = size;
  if (old > 0) {
    relink_piece(it);
  } else {
    it->prev = &m->pieces;
    it->next = m->pieces.next;
    it->next->prev = it->prev->next = it;
  }
  return it + 1;
}

/* }== When memory runs out =========================================== */

int pl_memory_raise(lua_State *L) {
  lua_pushliteral(L, "not enough memory");
  lua_error(L);
}

bool pl_memory_israised(lua_State *L) {
  return lua_type(L, -1) == LUA_TSTRING &&
         strcmp(lua_tostring(L, -1), "not enough memory") == 0;
}

/* Finalizers run in here, so the functions that the core is busy with take no
** call meanwhile. */
static void *retry(pl_funcobj *h, void *p, size_t old, size_t n) {
  lua_State *L = h->L;
  pl_funcobj *other = h->now.reading != NULL ? h->now.reading : h;
  ph_pool_empty(h->module->pool);
  h->now.collecting = other->now.collecting = true;
  lua_gc(L, LUA_GCCOLLECT);
  h->now.collecting = other->now.collecting = false;
  p = pl_memory_piece(L, h->module, p, old, n);
  if (p == NULL) pl_memory_raise(L);
  return p;
}

/* }== The pool ======================================================= */

/* Allocates and frees for the pool. */
static void *from_lua(void *ud, void *p, size_t old, size_t n) {
  pl_module *m = ud;
  pl_funcobj *h = m->asker;
  void *q = pl_memory_piece(m->L, m, p, p != NULL ? old : 0, n);
  return q == NULL && n > 0 ? retry(h, p, old, n) : q;
}

void pl_memory_start(lua_State *L, pl_module *m) {
  const ph_mem from = {from_lua, m};
  m->L = L;
  m->asker = NULL;
  m->closed = m->describing = false;
  m->tag = 0;
  m->runs = (pl_slot_runs){NULL, 0, 0, 0};
  m->pieces.prev = m->pieces.next = &m->pieces;
  m->pool = (ph_pool *)(m + 1);
  m->closings = (pl_closings){0, 0, 0};
  m->kept = LEAST_KEPT;
  ph_pool_init(m->pool, &from, LEAST_KEPT);
}

void pl_memory_close(lua_State *L, pl_module *m) {
  m->closed = true;
  while (m->pieces.next != &m->pieces) free_piece(L, m->pieces.next);
}

void *pl_memory_shared(pl_funcobj *h, void *p, size_t old, size_t n) {
  const ph_mem *mem = ph_pool_mem(h->module->pool);
  h->module->L = h->L;
  h->module->asker = h;
  return mem->realloc(mem->ud, p, old, n);
}

/* How much the pool may keep for functions that take that much memory: arrays
** leave halves behind as they grow, and sizes are rounded up. */
static size_t kept_for(size_t bytes) {
  return 4 * bytes > LEAST_KEPT ? 4 * bytes : LEAST_KEPT;
}

/* Where large functions follow one another, the pool keeps what they need: of
** the functions closed lately the second largest counts, so that a single one
** leaves nothing behind. */
void pl_memory_closing(pl_funcobj *h) {
  pl_module *m = h->module;
  pl_closings *c = &m->closings;
  size_t before = c->second;
  if (h->memory.peak > c->largest) {
    c->second = c->largest;
    c->largest = h->memory.peak;
  } else if (h->memory.peak > c->second) {
    c->second = h->memory.peak;
  }
  m->L = h->L;
  if (c->second > before && kept_for(c->second) > m->kept) {
    m->kept = kept_for(c->second);
    ph_pool_limit(m->pool, m->kept);
  }
  if (++c->n < WINDOW) return;
  m->kept = kept_for(c->second);
  ph_pool_limit(m->pool, m->kept);
  *c = (pl_closings){0, 0, 0};
}

/* }== A function's own =============================================== */

void *pl_memory_own(void *ud, void *p, size_t old, size_t n) {
  pl_funcobj *h = ud;
  void *q;
  if (p == NULL) old = 0;
  q = pl_memory_shared(h, p, old, n);
  h->memory.bytes += n - old;
  if (h->memory.bytes > h->memory.peak) h->memory.peak = h->memory.bytes;
  if (h->memory.bytes < h->memory.reported)
    h->memory.reported = h->memory.bytes;
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
  size_t told = h->memory.reported;
  if (h->memory.bytes - told <= PL_MEMORY_GROWTH) return;
  h->memory.reported = h->memory.bytes;
  if (lua_gc(L, LUA_GCISRUNNING)) pl_memory_step(L, h->memory.bytes - told);
}

/* }=================================================================== */
