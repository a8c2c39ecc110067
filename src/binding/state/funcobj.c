/* funcobj.c: a function's life in Lua, and the Lua values that it keeps for the
** user: block:data(), variable:data() and set_data; the nodes of accesses.
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
  if (pl_funcobj_pushkept(L, fn, key) != LUA_TNIL) return;
  lua_pop(L, 1);
  pl_funcobj_keep(L, fn, key, lua_gettop(L));
}

/* Forgets all data of the function at stack index fn, an absolute one. */
static void forget_data(lua_State *L, int fn) {
  for (int key = PL_KEPT_BLOCKS; key <= PL_KEPT_NODES; key++) {
    bool has = pl_funcobj_pushkept(L, fn, key) != LUA_TNIL;
    lua_pushnil(L);
    if (has) pl_funcobj_keep(L, fn, key, lua_gettop(L));
    lua_pop(L, 2);
  }
}

int pl_funcobj_nodes(lua_State *L, pl_funcobj *h) {
  pl_access_open(L, h);
  pl_access_checkrecords(L, h);
  push_table(L, pl_handle_pushowner(L, 1), PL_KEPT_NODES);
  pl_access_open(L, h); /* finalizers may have run */
  return lua_gettop(L);
}

void pl_funcobj_setnode(lua_State *L, const pl_funcobj *h, int nodes,
                        int node) {
  if (lua_isnil(L, node)) return;
  lua_pushvalue(L, node);
  lua_rawseti(L, nodes, (lua_Integer)ph_access_count(h->f) + 1);
}

void pl_funcobj_pushnode(lua_State *L, int fn, ph_access a) {
  if (pl_funcobj_pushkept(L, fn, PL_KEPT_NODES) != LUA_TNIL)
    lua_rawgeti(L, -1, a.id);
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

/* Keeps the name for errors about handles that outlive the function. */
static void copy_name(char *to, ph_str name) {
  size_t n = name.n < LUA_IDSIZE ? name.n : LUA_IDSIZE - 1;
  memcpy(to, name.at, n);
  to[n] = '\0';
}

void pl_funcobj_close(lua_State *L, pl_funcobj *h) {
  if (pl_userdata_isclosed(h) || h->now.collecting || h->now.core_waits) return;
  h->L = L;
  h->closed = true;
  h->now.doing = NULL;
  copy_name(h->source_name, ph_func_name(h->f));
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
  if (pl_userdata_isclosed(h)) forget_data(L, 1);
  return 0;
}

/* }=================================================================== */

const pl_method pl_funcobj_methods[] = {
    {PL_OF_BLOCK, "data", l_blockdata},
    {PL_OF_BLOCK, "set_data", l_setblockdata},
    {PL_OF_VAR, "data", l_vardata},
    {PL_OF_VAR, "set_data", l_setvardata},
    {PL_OF_FUNC, "close", l_close},
    {PL_OF_FUNC, "__gc", l_gc},
    {PL_OF_FUNC, "__close", l_close},
    {0},
};
