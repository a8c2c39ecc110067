/* handle_data.c: block:data(), variable:data() and set_data; the nodes of
** accesses.
**
** The core knows nothing of these data: they are stored by id in a table of
** each kind, which is made when the first one is set.  The function keeps the
** tables as user values do, so data that refer to the function are collected
** with it.  Setting them changes nothing in the function: it is allowed at any
** time, also of a block that was dropped.
*/
#include "binding/state/handle_data.h"

#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

static int key_of(int kind) {
  return kind == PL_UP_BLOCK ? PL_KEPT_BLOCKS : PL_KEPT_VARS;
}

/* Pushes what the function at fn keeps under the key. */
static int push_kept(lua_State *L, int fn, int key) {
  int type;
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  type = lua_rawgeti(L, -1, key);
  lua_remove(L, -2);
  return type;
}

static void set_kept(lua_State *L, int fn, int key) {
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  lua_insert(L, -2);
  lua_rawseti(L, -2, key);
  lua_pop(L, 1);
}

/* Pushes the table under the key, which is made if necessary; a finalizer that
** runs in here may have made it already. */
static void push_table(lua_State *L, int fn, int key) {
  if (push_kept(L, fn, key) != LUA_TNIL) return;
  lua_newtable(L);
  if (push_kept(L, fn, key) != LUA_TNIL) return;
  lua_pop(L, 1);
  lua_pushvalue(L, -1);
  set_kept(L, fn, key);
}

void pl_handle_data_forget(lua_State *L, int fn) {
  for (int key = PL_KEPT_BLOCKS; key <= PL_KEPT_NODES; key++) {
    bool has = push_kept(L, fn, key) != LUA_TNIL;
    lua_pop(L, 1);
    if (!has) continue;
    lua_pushnil(L);
    set_kept(L, fn, key);
  }
}

int pl_handle_data_nodes(lua_State *L, pl_funcobj *h) {
  pl_access_checkrecords(L, h);
  push_table(L, pl_handle_pushowner(L, 1), PL_KEPT_NODES);
  return lua_gettop(L);
}

void pl_handle_data_setnode(lua_State *L, const pl_funcobj *h, int nodes,
                            int node) {
  if (lua_isnil(L, node)) return;
  lua_pushvalue(L, node);
  lua_rawseti(L, nodes, (lua_Integer)ph_access_count(h->f) + 1);
}

void pl_handle_data_pushnode(lua_State *L, int fn, ph_access a) {
  if (push_kept(L, fn, PL_KEPT_NODES) != LUA_TNIL) lua_rawgeti(L, -1, a.id);
}

static int get(lua_State *L, int kind) {
  const pl_handle *me = pl_arg_method(L, kind, 0, 0);
  pl_access_read(L, me->owner);
  if (push_kept(L, pl_handle_pushowner(L, 1), key_of(kind)) != LUA_TNIL)
    lua_rawgeti(L, -1, me->id);
  return 1;
}

/* Making the table may run finalizers, which may close the function. */
static int set(lua_State *L, int kind) {
  const pl_handle *me = pl_arg_method(L, kind, 1, 1);
  pl_access_read(L, me->owner);
  push_table(L, pl_handle_pushowner(L, 1), key_of(kind));
  pl_access_read(L, me->owner);
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, me->id);
  lua_settop(L, 1);
  return 1;
}

static int l_blockdata(lua_State *L) { return get(L, PL_UP_BLOCK); }

static int l_setblockdata(lua_State *L) { return set(L, PL_UP_BLOCK); }

static int l_vardata(lua_State *L) { return get(L, PL_UP_VAR); }

static int l_setvardata(lua_State *L) { return set(L, PL_UP_VAR); }

const pl_method pl_handle_data_methods[] = {
    {PL_OF_BLOCK, "data", l_blockdata},
    {PL_OF_BLOCK, "set_data", l_setblockdata},
    {PL_OF_VAR, "data", l_vardata},
    {PL_OF_VAR, "set_data", l_setvardata},
    {0},
};
