/* loop.c: fn:loops() and block:loop_depth(). */
#include <string.h>

#include "binding/methods/analysis.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/* A loop as it is gathered; the ids of its blocks follow. */
typedef struct {
  uint32_t parent, depth, reducible, size;
} found;

static void gather(pl_funcobj *h, const ph_loops *l, uint32_t loop) {
  found it = {ph_loops_parent(l, loop), ph_loops_depth(l, loop),
              ph_loops_reducible(l, loop), ph_loops_size(l, loop)};
  ph_strbuf_add(&h->buf, (ph_str){(const char *)&it, sizeof it});
  for (uint32_t i = 0; i < it.size; i++)
    pl_handle_gather(h, ph_loops_block(l, loop, i).id);
}

static const char *push_blocks(lua_State *L, const char *at, uint32_t n) {
  lua_createtable(L, (int)n, 0);
  for (uint32_t i = 1; i <= n; i++, at += sizeof(uint32_t)) {
    ph_block b;
    memcpy(&b.id, at, sizeof b.id);
    pl_handle_pushblock(L, 1, b);
    lua_rawseti(L, -2, i);
  }
  return at;
}

/* Pushes the loop at `at`; returns the end of it.  list: stack index of the
** list of those before it. */
static const char *push_loop(lua_State *L, int list, const char *at) {
  found it;
  memcpy(&it, at, sizeof it);
  lua_createtable(L, 0, 5);
  at = push_blocks(L, at + sizeof it, it.size);
  lua_rawgeti(L, -1, 1);
  lua_setfield(L, -3, "header");
  lua_setfield(L, -2, "blocks");
  lua_rawgeti(L, list, it.parent);
  lua_setfield(L, -2, "parent");
  lua_pushinteger(L, it.depth);
  lua_setfield(L, -2, "depth");
  lua_pushboolean(L, it.reducible != 0);
  lua_setfield(L, -2, "reducible");
  return at;
}

/* fn:loops() */
static int l_loops(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, 0, 0);
  const ph_loops *l;
  const char *at;
  uint32_t n;
  pl_access_read(L, h);
  l = pl_analysis_loops(h);
  n = ph_loops_count(l);
  pl_handle_start(h);
  for (uint32_t i = 1; i <= n; i++) gather(h, l, i);
  at = lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_createtable(L, (int)n, 0);
  for (uint32_t i = 1; i <= n; i++) {
    at = push_loop(L, 3, at);
    lua_rawseti(L, 3, i);
  }
  return pl_access_return(L, h, 1);
}

/* block:loop_depth() */
static int l_loop_depth(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_BLOCK, 0, 0);
  const ph_loops *l;
  ph_block b;
  pl_access_read(L, me->owner);
  b = pl_handle_block(L, me);
  l = pl_analysis_loops(me->owner);
  lua_pushinteger(L, ph_loops_depth(l, ph_loops_of(l, b)));
  return pl_access_return(L, me->owner, 1);
}

const pl_method pl_loop_methods[] = {
    {PL_OF_FUNC, "loops", l_loops},
    {PL_OF_BLOCK, "loop_depth", l_loop_depth},
    {0},
};
