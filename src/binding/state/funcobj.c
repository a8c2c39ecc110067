/* funcobj.c: a function's life in Lua, and the Lua values that it keeps for the
** user: block:data(), variable:data() and set_data; nodes.
**
** The userdata is made first, empty and with its metatable, so that the
** collector frees whatever it comes to own.
*/
#include "binding/state/funcobj.h"

#include <string.h>

#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/handle.h"
#include "binding/state/memory.h"
#include "binding/state/method.h"

/*
** {== Kept values ====================================================
*/

int pl_funcobj_pushkept(lua_State *L, int fn, lua_Integer key) {
  int type;
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  type = lua_rawgeti(L, -1, key);
  lua_remove(L, -2);
  return type;
}

void pl_funcobj_keep(lua_State *L, int fn, lua_Integer key, int at) {
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  lua_pushvalue(L, at);
  lua_rawseti(L, -2, key);
  lua_pop(L, 1);
}

int pl_funcobj_pushdialect(lua_State *L, int fn, ph_str name) {
  int type;
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  lua_pushlstring(L, name.at, name.n);
  type = lua_rawget(L, -2);
  lua_remove(L, -2);
  return type;
}

/* }== Data of the user ===============================================
**
** The core knows nothing of these data: they are stored by id in a table of
** each kind, which is made when the first one is set.  The function keeps the
** tables as user values do, so data that refer to the function are collected
** with it.  Setting them changes nothing in the function: it is allowed at any
** time, also of a block that was dropped.
*/

static int key_of(int kind) {
  return kind == PL_KIND_BLOCK ? PL_KEPT_BLOCKS : PL_KEPT_VARS;
}

/* Pushes the table under the key, which is made if necessary; a finalizer that
** runs in here may have made it already. */
static void push_table(lua_State *L, int fn, int key) {
  if (pl_funcobj_pushkept(L, fn, key) != LUA_TNIL) return;
  lua_newtable(L);
  lua_replace(L, -2);
  if (pl_funcobj_pushkept(L, fn, key) != LUA_TNIL) {
    lua_replace(L, -2);
    return;
  }
  lua_pop(L, 1);
  pl_funcobj_keep(L, fn, key, lua_gettop(L));
}

static int get_data(lua_State *L, int kind) {
  const pl_handle *me = pl_arg_only(L, kind);
  pl_access_read(L, me->owner);
  if (pl_funcobj_pushkept(L, pl_handle_pushowner(L, 1), key_of(kind)) !=
      LUA_TNIL)
    lua_rawgeti(L, -1, me->id);
  return 1;
}

/* Making the table may run finalizers, which may close the function. */
static int set_data(lua_State *L, int kind) {
  const pl_handle *me = pl_arg_method(L, kind, 1, 1);
  pl_access_read(L, me->owner);
  push_table(L, pl_handle_pushowner(L, 1), key_of(kind));
  pl_access_read(L, me->owner);
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, me->id);
  lua_settop(L, 1);
  return 1;
}

static int l_blockdata(lua_State *L) { return get_data(L, PL_KIND_BLOCK); }

static int l_setblockdata(lua_State *L) { return set_data(L, PL_KIND_BLOCK); }

static int l_vardata(lua_State *L) { return get_data(L, PL_KIND_VAR); }

static int l_setvardata(lua_State *L) { return set_data(L, PL_KIND_VAR); }

/* }== Nodes ==========================================================
**
** The core knows them by number: that of their index in a table, in which what
** is set twice appears twice.
*/

/* fn:set_node(node); without one, or with nil, none */
static int l_set_node(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 0, 1);
  uint32_t node = 0;
  pl_access_change(L, h);
  lua_settop(L, 2);
  push_table(L, 1, PL_KEPT_NODES);
  pl_access_change(L, h);
  if (!lua_isnil(L, 2)) {
    lua_pushvalue(L, 2);
    lua_rawseti(L, -2, (lua_Integer)h->nnodes + 1);
    node = ++h->nnodes;
  }
  pl_access_begin(h, "setting the node of", (ph_block){0});
  ph_identity_set(h->f, node);
  lua_settop(L, 1);
  return pl_access_done(L, h, 1);
}

void pl_funcobj_pushnode(lua_State *L, int fn, uint32_t node) {
  if (pl_funcobj_pushkept(L, fn, PL_KEPT_NODES) != LUA_TNIL)
    lua_rawgeti(L, -1, node);
}

void pl_funcobj_sharenodes(lua_State *L, int from, uint32_t n,
                           const pl_funcobj *h, int fn) {
  uint32_t had = h->nnodes;
  if (n == 0) return;
  push_table(L, from, PL_KEPT_NODES);
  push_table(L, fn, PL_KEPT_NODES);
  if (h->nnodes != had) n = 0; /* a finalizer has set some */
  for (uint32_t i = 1; i <= n; i++) {
    lua_rawgeti(L, -2, i);
    lua_rawseti(L, -2, (lua_Integer)had + i);
  }
  lua_pop(L, 2);
}

/* True if the value on top is not in the set at stack index `set`; adds it.
** (Only a nan differs from itself, which cannot be in a table.) */
static bool is_new(lua_State *L, int set) {
  bool found;
  if (!lua_rawequal(L, -1, -1)) return true;
  lua_pushvalue(L, -1);
  found = lua_rawget(L, set) != LUA_TNIL;
  lua_pop(L, 1);
  if (found) return false;
  lua_pushvalue(L, -1);
  lua_pushboolean(L, true);
  lua_rawset(L, set);
  return true;
}

/* value:nodes(): a list.  Once the tables are made, no finalizers can run, which
** could look for other nodes. */
static int l_nodes(lua_State *L) {
  pl_handle *me = pl_arg_only(L, PL_KIND_VALUE);
  pl_funcobj *h = me->owner;
  enum { LIST = 2, SET, NODES };
  lua_Integer kept = 0;
  ph_value v;
  uint32_t n;
  pl_access_read(L, h);
  lua_createtable(L, 1, 0); /* for one, mostly */
  lua_newtable(L);
  pl_funcobj_pushkept(L, pl_handle_pushowner(L, 1), PL_KEPT_NODES);
  lua_remove(L, NODES);
  pl_access_read(L, h);
  v = pl_handle_value(L, me);
  pl_access_begin(h, "looking for nodes in", ph_value_block(h->f, v));
  n = ph_identity_count(h->f, v);
  pl_access_endinner(h);
  for (uint32_t i = 0; i < n; i++) {
    lua_rawgeti(L, NODES, ph_identity_at(h->f, i));
    if (n == 1 || is_new(L, SET))
      lua_rawseti(L, LIST, ++kept);
    else
      lua_pop(L, 1);
  }
  lua_settop(L, LIST);
  return pl_access_return(L, h, 1);
}

/* }== Life =========================================================== */

pl_funcobj *pl_funcobj_new(lua_State *L) {
  pl_funcobj *h;
  pl_access_checkmodule(L);
  h = lua_newuserdatauv(L, sizeof *h, PL_FUNC_USERVALUES);
  memset(h, 0, sizeof *h);
  h->closed = true;
  h->module = pl_userdata_module(L);
  h->tag = h->module->tag += PL_KINDS + 1;
  pl_userdata_setkind(L, PL_KIND_FUNC);
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, -2, PL_ITS_SELF);
  lua_createtable(L, 0, 1); /* a dialect, mostly */
  lua_setiuservalue(L, -2, PL_ITS_KEPT);
  h->L = L;
  h->mem = (ph_mem){pl_memory_own, h};
  h->buf.mem = &h->mem;
  h->f = pl_memory_own(h, NULL, 0, ph_func_size());
  ph_func_blank(h->f, &h->mem);
  h->closed = false;
  return h;
}

void pl_funcobj_close(lua_State *L, pl_funcobj *h) {
  if (pl_userdata_isclosed(h) || h->now.collecting || h->now.core_waits) return;
  if (h->is_watched) pl_access_tellruns(L, h);
  h->L = L;
  h->closed = true;
  h->now.doing = NULL;
  /* for errors about handles that outlive the function */
  ph_str name = ph_func_name(h->f);
  size_t n = name.n < LUA_IDSIZE ? name.n : LUA_IDSIZE - 1;
  memcpy(h->source_name, name.at, n);
  h->source_name[n] = '\0';
  ph_strbuf_done(&h->buf);
  pl_memory_closing(h);
  pl_handle_forget(h);
  ph_func_done(h->f);
  pl_memory_own(h, h->f, ph_func_size(), 0);
  h->f = NULL;
}

static int l_gc(lua_State *L) {
  pl_funcobj_close(L, pl_arg_self(L, PL_KIND_FUNC));
  return 0;
}

static int l_close(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  if (!pl_userdata_isclosed(h) && (h->now.in_callback || h->now.collecting))
    pl_access_refusecallback(L, h, "cannot be closed");
  pl_funcobj_close(L, h);
  if (!pl_userdata_isclosed(h)) return 0;
  for (int key = PL_KEPT_BLOCKS; key <= PL_KEPT_NODES; key++) {
    bool has = pl_funcobj_pushkept(L, 1, key) != LUA_TNIL;
    lua_pushnil(L);
    if (has) pl_funcobj_keep(L, 1, key, lua_gettop(L));
    lua_pop(L, 2);
  }
  return 0;
}

/* }=================================================================== */

const pl_method pl_funcobj_methods[] = {
    {PL_OF_BLOCK, "data", l_blockdata},
    {PL_OF_BLOCK, "set_data", l_setblockdata},
    {PL_OF_VAR, "data", l_vardata},
    {PL_OF_VAR, "set_data", l_setvardata},
    {PL_OF_FUNC, "set_node", l_set_node},
    {PL_OF_VALUE, "nodes", l_nodes},
    {PL_OF_FUNC, "close", l_close},
    {PL_OF_FUNC, "__gc", l_gc},
    {PL_OF_FUNC, "__close", l_close},
    {0},
};
