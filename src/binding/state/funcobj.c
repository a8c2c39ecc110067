/* funcobj.c: a function's life in Lua.
**
** The userdata is made first, empty and with its metatable, so that the
** collector frees whatever it comes to own.
*/
#include "binding/state/funcobj.h"

#include <string.h>

#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/handle_data.h"
#include "binding/state/handle_slots.h"
#include "binding/state/memory.h"
#include "binding/state/method.h"

pl_funcobj *pl_funcobj_new(lua_State *L) {
  pl_funcobj *h;
  pl_access_checkmodule(L);
  h = lua_newuserdatauv(L, sizeof *h, PL_FUNC_USERVALUES);
  memset(h, 0, sizeof *h);
  h->closed = true;
  h->module = pl_userdata_module(L);
  h->tag = h->module->tag += PL_KINDS + 1;
  pl_userdata_setkind(L, PL_UP_FUNC);
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
  if (pl_userdata_isclosed(h) || h->collecting || h->core_waits) return;
  h->L = L;
  h->closed = true;
  h->doing = NULL;
  copy_name(h->source_name, ph_func_name(h->f));
  ph_strbuf_done(&h->buf);
  pl_memory_closing(h);
  pl_handle_slots_forget(h);
  ph_func_done(h->f);
  pl_memory_own(h, h->f, ph_func_size(), 0);
  h->f = NULL;
}

static int l_gc(lua_State *L) {
  pl_funcobj_close(L, pl_arg_self(L, PL_UP_FUNC));
  return 0;
}

static int l_close(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_UP_FUNC);
  if (!pl_userdata_isclosed(h) && (h->in_callback || h->collecting))
    pl_access_refusecallback(L, h, "cannot be closed");
  pl_funcobj_close(L, h);
  if (pl_userdata_isclosed(h)) pl_handle_data_forget(L, 1);
  return 0;
}

const pl_method pl_funcobj_methods[] = {
    {PL_OF_FUNC, "close", l_close},
    {PL_OF_FUNC, "__gc", l_gc},
    {PL_OF_FUNC, "__close", l_close},
    {0},
};
