/* mapping.c: memory that grows inside of addresses that are reserved once. */
#define _XOPEN_SOURCE 700
#define _DARWIN_C_SOURCE
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "binding/run/mapping.h"

#if (defined(__unix__) || defined(__APPLE__)) && !defined(__EMSCRIPTEN__) && \
    SIZE_MAX > UINT32_MAX

#include <sys/mman.h>

#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif

bool pl_mapping_stays(void) { return true; }

/* Reserves addresses, those from `at` on if it is not NULL. */
static void *reserve(void *at, uint64_t n) {
  int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void *base =
      mmap(at, (size_t)n, PROT_NONE, flags | (at ? MAP_FIXED : 0), -1, 0);
  return base == MAP_FAILED ? NULL : base;
}

static void release(pl_mapping *m) { munmap(m->base, (size_t)m->reserved); }

static bool take(pl_mapping *m, uint64_t size) {
  return size == 0 ||
         mprotect(m->base, (size_t)size, PROT_READ | PROT_WRITE) == 0;
}

bool pl_mapping_restart(pl_mapping *m, uint64_t size) {
  m->size = 0;
  return reserve(m->base, m->reserved) != NULL && pl_mapping_grow(m, size);
}

#else

bool pl_mapping_stays(void) { return false; }

static void *reserve(void *at, uint64_t n) {
  (void)at, (void)n;
  return malloc(1);
}

static void release(pl_mapping *m) { free(m->base); }

static bool take(pl_mapping *m, uint64_t size) {
  uint8_t *base = size < SIZE_MAX ? realloc(m->base, (size_t)size + 1) : NULL;
  if (base == NULL) return false;
  memset(base + m->size, 0, (size_t)(size - m->size));
  m->base = base;
  return true;
}

bool pl_mapping_restart(pl_mapping *m, uint64_t size) {
  m->size = 0;
  return pl_mapping_grow(m, size);
}

#endif

bool pl_mapping_grow(pl_mapping *m, uint64_t n) {
  if (n > m->reserved - m->size || !take(m, m->size + n)) return false;
  m->size += n;
  return true;
}

void pl_mapping_free(pl_mapping *m) {
  if (m->base != NULL) release(m);
  m->base = NULL;
  m->size = m->reserved = 0;
}

static int l_gc(lua_State *L) {
  pl_mapping_free(lua_touserdata(L, 1));
  return 0;
}

pl_mapping *pl_mapping_push(lua_State *L, uint64_t reserved) {
  pl_mapping *m = lua_newuserdatauv(L, sizeof *m, 0);
  memset(m, 0, sizeof *m);
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, l_gc);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  m->base = reserve(NULL, reserved);
  if (m->base == NULL) { /* maybe some are no longer needed */
    lua_gc(L, LUA_GCCOLLECT);
    m->base = reserve(NULL, reserved);
  }
  m->reserved = reserved;
  if (m->base != NULL) return m;
  lua_pop(L, 1);
  return NULL;
}
