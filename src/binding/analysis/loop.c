/* loop.c: fn:loops(), block:loop_depth() and block:loop_header(). */
#include <string.h>

#include "binding/analysis/analysis.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Blocks of a loop ===============================================
**
** All lists together can be as long as the square of the number of blocks.  So
** fn:loops() keeps each block once, in an order in which those of each loop are
** contiguous, and makes a list when it is first asked for.
*/

/* What is kept of a loop; the ids of all blocks follow the last one. */
typedef struct {
  uint32_t header, parent, depth, reducible, first, size;
} kept;

/* Upvalues of l_index: the function; what fn:loops() has kept; the numbers of
** the loops, by loop. */
enum { UP_OWNER = PL_UP_NAME + 1, UP_KEPT, UP_NUMBERS };

static kept kept_of(const char *at, lua_Integer loop) {
  kept it;
  memcpy(&it, at + (loop - 1) * (lua_Integer)sizeof it, sizeof it);
  return it;
}

/* Pushes the list of blocks of loop `number` out of n. */
static void push_blocks(lua_State *L, int fn, const char *at, lua_Integer n,
                        lua_Integer number) {
  kept it = kept_of(at, number);
  lua_createtable(L, (int)it.size, 0);
  at += n * (lua_Integer)sizeof it + it.first * sizeof(uint32_t);
  for (uint32_t i = 1; i <= it.size; i++, at += sizeof(uint32_t)) {
    ph_block b;
    memcpy(&b.id, at, sizeof b.id);
    pl_handle_pushblock(L, fn, b);
    lua_rawseti(L, -2, i);
  }
}

/* loop.blocks, when it is asked for first */
static int l_index(lua_State *L) {
  pl_funcobj *h = lua_touserdata(L, lua_upvalueindex(UP_OWNER));
  const char *at = lua_tostring(L, lua_upvalueindex(UP_KEPT));
  lua_Integer n, number;
  lua_settop(L, 2);
  if (lua_type(L, 2) != LUA_TSTRING ||
      strcmp(lua_tostring(L, 2), "blocks") != 0)
    return 0;
  lua_pushvalue(L, 1);
  lua_rawget(L, lua_upvalueindex(UP_NUMBERS));
  number = lua_tointeger(L, 3);
  if (number == 0) return 0;
  lua_rawgeti(L, lua_upvalueindex(UP_NUMBERS), 0);
  n = lua_tointeger(L, 4);
  pl_access_read(L, h);
  lua_pushvalue(L, lua_upvalueindex(UP_OWNER));
  push_blocks(L, 5, at, n, number);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -2);
  lua_rawset(L, 1);
  return pl_access_return(L, h, 1);
}

/* Pushes the metatable of loops; arguments: the function, what is kept, the
** table of numbers. */
static void push_metatable(lua_State *L) {
  lua_createtable(L, 0, 1);
  for (int i = 1; i <= 3; i++) lua_pushvalue(L, i);
  pl_userdata_pushfunction(L, l_index, "blocks", 3);
  lua_setfield(L, -2, "__index");
}

/* }== Loops ========================================================== */

static void gather(pl_funcobj *h, const ph_loops *l) {
  uint32_t n = ph_loops_count(l);
  pl_handle_start(h);
  for (uint32_t i = 1; i <= n; i++) {
    kept it = {ph_loops_header(l, i).id, ph_loops_parent(l, i),
               ph_loops_depth(l, i),     ph_loops_reducible(l, i),
               ph_loops_first(l, i),     ph_loops_size(l, i)};
    ph_strbuf_add(&h->buf, (ph_str){(const char *)&it, sizeof it});
  }
  for (uint32_t i = 1; i <= n; i++)
    for (uint32_t k = 0; ph_loops_parent(l, i) == 0 && k < ph_loops_size(l, i);
         k++)
      pl_handle_gather(h, ph_loops_block(l, i, k).id);
}

/* Pushes a loop.  list: stack index of the list of those before it. */
static void push_loop(lua_State *L, int list, kept it) {
  lua_createtable(L, 0, 5);
  pl_handle_pushblock(L, 1, (ph_block){it.header});
  lua_setfield(L, -2, "header");
  lua_rawgeti(L, list, it.parent);
  lua_setfield(L, -2, "parent");
  lua_pushinteger(L, it.depth);
  lua_setfield(L, -2, "depth");
  lua_pushboolean(L, it.reducible != 0);
  lua_setfield(L, -2, "reducible");
}

/* fn:loops() */
static int l_loops(lua_State *L) {
  enum { KEPT = 2, NUMBERS, METATABLE, LIST };
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, 0, 0);
  const ph_loops *l;
  uint32_t n;
  luaL_checkstack(L, UP_NUMBERS + 8, NULL);
  pl_access_read(L, h);
  l = pl_analysis_loops(h);
  n = ph_loops_count(l);
  gather(h, l);
  lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_createtable(L, 0, (int)n);
  push_metatable(L);
  lua_createtable(L, (int)n, 0);
  lua_pushinteger(L, n);
  lua_rawseti(L, NUMBERS, 0);
  for (uint32_t i = 1; i <= n; i++) {
    push_loop(L, LIST, kept_of(lua_tostring(L, KEPT), i));
    lua_pushvalue(L, -1);
    lua_pushinteger(L, i);
    lua_rawset(L, NUMBERS);
    lua_pushvalue(L, METATABLE);
    lua_setmetatable(L, -2);
    lua_rawseti(L, LIST, i);
  }
  return pl_access_return(L, h, 1);
}

/* }=================================================================== */

/* block:loop_depth() */
static int l_loop_depth(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_BLOCK, 0, 0);
  const ph_loops *l;
  ph_block b = {me->id};
  pl_access_read(L, me->owner);
  l = pl_analysis_loops(me->owner);
  lua_pushinteger(L, ph_loops_depth(l, ph_loops_of(l, b)));
  return pl_access_return(L, me->owner, 1);
}

/* block:loop_header() */
static int l_loop_header(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_BLOCK, 0, 0);
  pl_funcobj *h = me->owner;
  uint32_t loop;
  pl_access_read(L, h);
  loop = ph_loops_of(pl_analysis_loops(h), (ph_block){me->id});
  if (loop != 0)
    pl_handle_pushblock(L, pl_handle_pushowner(L, 1),
                        ph_loops_header(h->loops, loop));
  else
    lua_pushnil(L);
  return pl_access_return(L, h, 1);
}

const pl_method pl_loop_methods[] = {
    {PL_OF_FUNC, "loops", l_loops},
    {PL_OF_BLOCK, "loop_depth", l_loop_depth},
    {PL_OF_BLOCK, "loop_header", l_loop_header},
    {0},
};
