/* space.c: phial.core.space(), the memory of a run.
**
** Addresses are integers of 64 bits: the upper half is the number of a region,
** the lower half an offset.  Null and what is near it belong to no region.
** Constants come first, which nothing writes to, then other globals, then the
** stack of allocas.  The buffer of a region is a userdata that is replaced when
** the region grows.  The initial bytes of globals are kept up to the last one
** that has an initial value; the others are zero.  A global that can grow has a
** region of its own, which is a mapping.
**
** Every access is checked; generated code gets nil for one that is wrong and
** asks `fault` for the reason.  The functions are closures of the space, so that
** no argument of theirs can be another thing than it.
*/
#include <stdio.h>
#include <string.h>

#include "binding/run/mapping.h"
#include "binding/state/floats.h"
#include "binding/state/method.h"

/* The regions behind the stack are those of globals that can grow. */
enum { CONSTANTS, GLOBALS, STACK, GROWING, REGIONS = 16 };
enum { INITIAL = REGIONS }; /* the buffer of initial bytes */

#define OFFSETS UINT32_MAX /* the most bytes of a region */
#define DEPTH (1 << 26)    /* the most bytes of allocas */
#define LOWEST 4096        /* offset of the first constant */
#define LEAST 256          /* bytes of a new buffer */

typedef struct {
  uint8_t *bytes;
  uint64_t first, top, room; /* offsets: of the bytes, after those in use,
                                after the buffer */
} region;

typedef struct {
  region regions[REGIONS];
  struct {
    pl_mapping *mapping;
    uint64_t size; /* at first */
  } growing[REGIONS - GROWING];
  uint8_t *initial;       /* of GLOBALS */
  size_t ninitial, ifree; /* bytes kept; room for more */
  bool dirty;             /* something was written since `restore` */
} space;

static space *self(lua_State *L) {
  return lua_touserdata(L, lua_upvalueindex(1));
}

/*
** {== Bytes ==========================================================
*/

/* Returns the bytes at p, or NULL if one is not memory (writes: that can be
** written). */
static inline uint8_t *bytes_at(const space *s, lua_Integer p, uint64_t n,
                                bool writes) {
  uint64_t which = (uint64_t)p >> 32, offset = (uint64_t)p & UINT32_MAX;
  const region *r = &s->regions[which < REGIONS ? which : 0];
  if (n == 0 || which >= REGIONS || (writes && which == CONSTANTS) ||
      offset < r->first || offset > r->top || n > r->top - offset)
    return NULL;
  return r->bytes + (offset - r->first);
}

/* The same for a number of n bytes, aligned to `align`. */
static inline uint8_t *cell_at(lua_State *L, const space *s, unsigned n,
                               unsigned align, bool writes) {
  lua_Integer p = lua_tointeger(L, 1);
  return (p & (align - 1)) == 0 ? bytes_at(s, p, n, writes) : NULL;
}

static inline uint64_t get_bits(const uint8_t *bytes, unsigned n) {
  uint64_t bits = 0;
  for (unsigned i = 0; i < n; i++) bits |= (uint64_t)bytes[i] << 8 * i;
  return bits;
}

static inline void put_bits(uint8_t *bytes, unsigned n, uint64_t bits) {
  for (unsigned i = 0; i < n; i++) bytes[i] = (uint8_t)(bits >> 8 * i);
}

/* }== Numbers ======================================================== */

static inline void push_int(lua_State *L, uint64_t bits, unsigned n) {
  unsigned unused = 64 - 8 * n;
  lua_pushinteger(L, (lua_Integer)(bits << unused) >> unused);
}

/* The functions that load and store n bytes: how their bits are pushed, and the
** bits of argument 2. */
#define ACCESSES(load, store, n, align, push, value)          \
  static int l_##load(lua_State *L) {                         \
    const uint8_t *at = cell_at(L, self(L), n, align, false); \
    uint64_t bits;                                            \
    if (at == NULL) return 0;                                 \
    bits = get_bits(at, n);                                   \
    push;                                                     \
    return 1;                                                 \
  }                                                           \
  static int l_##store(lua_State *L) {                        \
    space *s = self(L);                                       \
    uint8_t *to = cell_at(L, s, n, align, true);              \
    if (to == NULL) return 0;                                 \
    put_bits(to, n, value);                                   \
    s->dirty = true;                                          \
    lua_pushboolean(L, true);                                 \
    return 1;                                                 \
  }
#define LOAD_AND_STORE(type, n, push, value)             \
  ACCESSES(load_##type, store_##type, n, n, push, value) \
  ACCESSES(load_unaligned_##type, store_unaligned_##type, n, 1, push, value)
#define INTEGER(type, n) \
  LOAD_AND_STORE(type, n, push_int(L, bits, n), (uint64_t)lua_tointeger(L, 2))

INTEGER(i8, 1)
INTEGER(i16, 2)
INTEGER(i32, 4)
INTEGER(i64, 8)
LOAD_AND_STORE(i1, 1, lua_pushboolean(L, bits & 1),
               (uint64_t)lua_toboolean(L, 2))
LOAD_AND_STORE(f32, 4, lua_pushnumber(L, pl_f32_widened((uint32_t)bits)),
               pl_f32_narrowed(lua_tonumber(L, 2)))
LOAD_AND_STORE(f64, 8, lua_pushnumber(L, pl_f64_of(bits)),
               pl_f64_bits(lua_tonumber(L, 2)))

/* }== Growing ======================================================== */

/* Makes room up to offset `end`.  A finalizer that runs when memory is
** allocated may have made it meanwhile. */
static void grow_region(lua_State *L, space *s, int which, uint64_t end) {
  region *r = &s->regions[which];
  uint64_t room = r->room > 0 ? 2 * r->room : r->first + LEAST;
  uint8_t *bytes;
  if (room < end) room = end;
  if (room > OFFSETS) room = OFFSETS;
  luaL_checkstack(L, 4, NULL);
  bytes = lua_newuserdatauv(L, (size_t)(room - r->first), 0);
  if (r->room < end) {
    if (r->top > r->first) memcpy(bytes, r->bytes, (size_t)(r->top - r->first));
    r->bytes = bytes;
    r->room = room;
    lua_setiuservalue(L, lua_upvalueindex(1), which + 1);
  }
}

/* Takes n bytes of a region, which are zero; returns their offset, or
** UINT64_MAX if it would have more than `most` bytes.  While the region grows,
** a finalizer may take some, too. */
static uint64_t take_bytes(lua_State *L, space *s, int which, uint64_t n,
                           uint64_t align, uint64_t most) {
  region *r = &s->regions[which];
  uint64_t from, end;
  for (;;) {
    from = (r->top + align - 1) & ~(align - 1);
    end = from + n;
    if (end > most) return UINT64_MAX;
    if (end <= r->room) break;
    grow_region(L, s, which, end);
  }
  memset(r->bytes + (r->top - r->first), 0, (size_t)(end - r->top));
  r->top = end;
  return from;
}

/* Takes memory of a region, of the size and alignment at 1 and 2; pushes its
** address, or nothing if there is no room; returns the number of results. */
static int push_memory(lua_State *L, space *s, int which, uint64_t most) {
  lua_Integer size = lua_tointeger(L, 1), align = lua_tointeger(L, 2);
  uint64_t offset;
  if (size <= 0 || size > OFFSETS || align <= 0 || align > PH_ALIGN_MOST ||
      (align & (align - 1)) != 0)
    return 0;
  offset = take_bytes(L, s, which, (uint64_t)size, (uint64_t)align, most);
  if (offset == UINT64_MAX) return 0;
  lua_pushinteger(L, (lua_Integer)((uint64_t)which << 32 | offset));
  return 1;
}

/* }== The stack ====================================================== */

/* alloca(size, align): the address; nil: the stack is full */
static int l_alloca(lua_State *L) {
  return push_memory(L, self(L), STACK, DEPTH);
}

/* top(): for release */
static int l_top(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)self(L)->regions[STACK].top);
  return 1;
}

/* release(top): frees the allocas made since */
static int l_release(lua_State *L) {
  region *r = &self(L)->regions[STACK];
  uint64_t top = (uint64_t)lua_tointeger(L, 1);
  if (top < r->top) r->top = top;
  return 0;
}

/* }== Globals ======================================================== */

/* place(size, align, constant): the address of a new global; nil: there is no
** room */
static int l_place(lua_State *L) {
  int which = lua_toboolean(L, 3) ? CONSTANTS : GLOBALS;
  return push_memory(L, self(L), which, OFFSETS);
}

/* reserve(n, constant): makes room for n bytes of globals, if that is
** possible */
static int l_reserve(lua_State *L) {
  space *s = self(L);
  lua_Integer n = lua_tointeger(L, 1);
  int which = lua_toboolean(L, 2) ? CONSTANTS : GLOBALS;
  uint64_t end = s->regions[which].top + (uint64_t)n;
  if (n > 0 && end <= OFFSETS && end > s->regions[which].room)
    grow_region(L, s, which, end);
  return 0;
}

/* The region of a mapping is what that is now. */
static void follow(space *s, int which) {
  const pl_mapping *m = s->growing[which - GROWING].mapping;
  region *r = &s->regions[which];
  r->bytes = m->base;
  r->top = r->room = m->size;
}

/* reserve_global(size, reserved): the address of a new global that can grow, or
** nil if the system or the program has no room for it */
static int l_reserve_global(lua_State *L) {
  space *s = self(L);
  uint64_t size = (uint64_t)lua_tointeger(L, 1);
  pl_mapping *m = pl_mapping_push(L, (uint64_t)lua_tointeger(L, 2));
  int which = GROWING;
  if (m == NULL) return 0;
  while (which < REGIONS && s->growing[which - GROWING].mapping != NULL)
    which++;
  if (which == REGIONS || !pl_mapping_grow(m, size)) return 0;
  s->growing[which - GROWING].mapping = m;
  s->growing[which - GROWING].size = size;
  lua_setiuservalue(L, lua_upvalueindex(1), which + 1);
  follow(s, which);
  lua_pushinteger(L, (lua_Integer)which << 32);
  return 1;
}

/* grow(address, n): adds n bytes to a global that can grow; returns its old size,
** or nil if so many are not reserved */
static int l_grow(lua_State *L) {
  space *s = self(L);
  int which = (int)(lua_tointeger(L, 1) >> 32);
  uint64_t before = s->regions[which].top;
  if (!pl_mapping_grow(s->growing[which - GROWING].mapping,
                       (uint64_t)lua_tointeger(L, 2)))
    return 0;
  follow(s, which);
  lua_pushinteger(L, (lua_Integer)before);
  return 1;
}

/* Makes room for initial bytes up to offset `end`; those that are new are zero.
*/
static void grow_initial(lua_State *L, space *s, size_t end) {
  size_t room = end > 2 * s->ninitial ? end : 2 * s->ninitial;
  uint8_t *bytes;
  luaL_checkstack(L, 4, NULL);
  bytes = lua_newuserdatauv(L, room, 0);
  if (s->ninitial + s->ifree >= end) return; /* a finalizer made it */
  if (s->ninitial > 0) memcpy(bytes, s->initial, s->ninitial);
  s->initial = bytes;
  s->ifree = room - s->ninitial;
  lua_setiuservalue(L, lua_upvalueindex(1), INITIAL + 1);
}

/* start(address, bytes): the initial bytes of a global; it has them before a
** finalizer can run. */
static int l_start(lua_State *L) {
  space *s = self(L);
  size_t n;
  const char *from = luaL_checklstring(L, 2, &n);
  lua_Integer p = luaL_checkinteger(L, 1);
  uint8_t *to = bytes_at(s, p, n, false);
  if (to == NULL) return 0;
  memcpy(to, from, n);
  if ((uint64_t)p >> 32 == GLOBALS) {
    size_t at = (uint32_t)p;
    size_t end = at + n;
    if (end > s->ninitial + s->ifree) grow_initial(L, s, end);
    if (end > s->ninitial) {
      memset(s->initial + s->ninitial, 0, end - s->ninitial);
      s->ifree -= end - s->ninitial;
      s->ninitial = end;
    }
    memcpy(s->initial + at, from, n);
  }
  return 0;
}

/* restore(): frees all allocas; globals have their initial bytes again, but those
** that can grow are zero; true: this is needed */
static int l_restore(lua_State *L) {
  space *s = self(L);
  region *r = &s->regions[GLOBALS];
  bool restarts = false;
  s->regions[STACK].top = 0;
  for (int i = 0; i < REGIONS - GROWING && s->growing[i].mapping != NULL; i++) {
    pl_mapping *m = s->growing[i].mapping;
    if (!s->dirty && m->size == s->growing[i].size) continue;
    if (!pl_mapping_restart(m, s->growing[i].size)) m->size = 0;
    follow(s, GROWING + i);
    restarts = true;
  }
  if (s->dirty && s->ninitial > 0) memcpy(r->bytes, s->initial, s->ninitial);
  if (s->dirty && r->top > s->ninitial)
    memset(r->bytes + s->ninitial, 0, (size_t)r->top - s->ninitial);
  s->dirty = false;
  lua_pushboolean(L, restarts);
  return 1;
}

/* }== Many bytes ===================================================== */

/* Says what is wrong with n bytes at p, "0x10: outside memory"; n is a power of
** two if they must be aligned. */
static const char *push_fault(lua_State *L, const space *s, lua_Integer p,
                              uint64_t n, bool writes, bool aligned) {
  char address[24];
  snprintf(address, sizeof address, "0x%llx", (unsigned long long)p);
  if (bytes_at(s, p, n, false) == NULL)
    return lua_pushfstring(L, "%s: outside memory", address);
  if (writes && bytes_at(s, p, n, true) == NULL)
    return lua_pushfstring(L, "%s: it is constant", address);
  return aligned ? lua_pushfstring(L, "%s: not aligned to %d", address, (int)n)
                 : lua_pushfstring(L, "%s", address);
}

/* fault(p, n, writes): what is wrong with a load or store of n bytes */
static int l_fault(lua_State *L) {
  push_fault(L, self(L), luaL_checkinteger(L, 1),
             (uint64_t)luaL_checkinteger(L, 2), lua_toboolean(L, 3), true);
  return 1;
}

static int push_wrong(lua_State *L, const char *op, lua_Integer n,
                      const char *where, const char *why) {
  lua_pushfstring(L, "%s of %I byte%s %s %s", op, (LUAI_UACINT)n,
                  n == 1 ? "" : "s", where, why);
  return 1;
}

/* Copies bytes as `op` does; pushes what is wrong, if anything is. */
static int copy_bytes(lua_State *L, const char *op, bool may_overlap) {
  space *s = self(L);
  lua_Integer p = lua_tointeger(L, 1), q = lua_tointeger(L, 2),
              n = lua_tointeger(L, 3);
  uint8_t *to, *from;
  if (n == 0) return 0;
  from = bytes_at(s, q, (uint64_t)n, false);
  if (from == NULL)
    return push_wrong(L, op, n, "from",
                      push_fault(L, s, q, (uint64_t)n, false, false));
  to = bytes_at(s, p, (uint64_t)n, true);
  if (to == NULL)
    return push_wrong(L, op, n, "to",
                      push_fault(L, s, p, (uint64_t)n, true, false));
  if (!may_overlap && to != from && p >> 32 == q >> 32 &&
      (uint64_t)(to < from ? from - to : to - from) < (uint64_t)n)
    return push_wrong(
        L, op, n, "to",
        lua_pushfstring(L, "%s: they overlap those that are copied",
                        push_fault(L, s, p, (uint64_t)n, true, false)));
  memmove(to, from, (size_t)n);
  s->dirty = true;
  return 0;
}

/* copy(to, from, n), move(to, from, n): nil, or what is wrong */
static int l_copy(lua_State *L) { return copy_bytes(L, "memcpy", false); }
static int l_move(lua_State *L) { return copy_bytes(L, "memmove", true); }

/* fill(p, byte, n): nil, or what is wrong */
static int l_fill(lua_State *L) {
  space *s = self(L);
  lua_Integer p = lua_tointeger(L, 1), n = lua_tointeger(L, 3);
  uint8_t *to;
  if (n == 0) return 0;
  to = bytes_at(s, p, (uint64_t)n, true);
  if (to == NULL)
    return push_wrong(L, "memset", n, "at",
                      push_fault(L, s, p, (uint64_t)n, true, false));
  memset(to, (int)(lua_tointeger(L, 2) & 255), (size_t)n);
  s->dirty = true;
  return 0;
}

/* bytes(p, n): a string; nil: that is not memory */
static int l_bytes(lua_State *L) {
  lua_Integer n = luaL_checkinteger(L, 2);
  const uint8_t *from =
      bytes_at(self(L), luaL_checkinteger(L, 1), (uint64_t)n, false);
  if (from == NULL) return 0;
  lua_pushlstring(L, (const char *)from, (size_t)n);
  return 1;
}

/* write(p, bytes): nil, or what is wrong */
static int l_write(lua_State *L) {
  space *s = self(L);
  lua_Integer p = luaL_checkinteger(L, 1);
  size_t n;
  const char *from = luaL_checklstring(L, 2, &n);
  uint8_t *to = n > 0 ? bytes_at(s, p, n, true) : NULL;
  if (n == 0) return 0;
  if (to == NULL)
    return push_wrong(L, "write", (lua_Integer)n, "at",
                      push_fault(L, s, p, n, true, false));
  memcpy(to, from, n);
  s->dirty = true;
  return 0;
}

/* }== Making ========================================================= */

static const luaL_Reg functions[] = {
#define OF_TYPE(type, c_type)                                           \
  {"load_" #type, l_load_##c_type}, {"store_" #type, l_store_##c_type}, \
      {"load_unaligned_" #type, l_load_unaligned_##c_type}, {           \
    "store_unaligned_" #type, l_store_unaligned_##c_type                \
  }
    OF_TYPE(i1, i1),
    OF_TYPE(i8, i8),
    OF_TYPE(i16, i16),
    OF_TYPE(i32, i32),
    OF_TYPE(i64, i64),
    OF_TYPE(f32, f32),
    OF_TYPE(f64, f64),
    OF_TYPE(ptr, i64),
    {"alloca", l_alloca},
    {"top", l_top},
    {"release", l_release},
    {"reserve", l_reserve},
    {"place", l_place},
    {"start", l_start},
    {"restore", l_restore},
    {"fault", l_fault},
    {"copy", l_copy},
    {"move", l_move},
    {"fill", l_fill},
    {"bytes", l_bytes},
    {"write", l_write},
    {"grow", l_grow},
    {"reserve_global", l_reserve_global},
    {NULL, NULL},
};

/* phial.core.load(source, name): the chunk; or nil and why, which is not that
** memory has run out */
static int l_load(lua_State *L) {
  size_t n;
  const char *source = luaL_checklstring(L, 1, &n);
  int status = luaL_loadbufferx(L, source, n, luaL_checkstring(L, 2), "t");
  if (status == LUA_OK) return 1;
  if (status != LUA_ERRSYNTAX) return lua_error(L);
  lua_pushnil(L);
  lua_insert(L, -2);
  return 2;
}

/* phial.core.space(): a table of functions on a new space */
static int l_space(lua_State *L) {
  space *s = lua_newuserdatauv(L, sizeof *s, REGIONS + 1);
  memset(s, 0, sizeof *s);
  s->regions[CONSTANTS].first = s->regions[CONSTANTS].top = LOWEST;
  luaL_newlibtable(L, functions);
  lua_pushvalue(L, -2);
  luaL_setfuncs(L, functions, 1);
  return 1;
}

/* }=================================================================== */

const pl_method pl_space_methods[] = {
    {PL_OF_MODULE, "space", l_space},
    {PL_OF_MODULE, "load", l_load},
    {0},
};
