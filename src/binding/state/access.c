/* access.c: what a function may be used for now; begin and end of a change. */
#include "binding/state/access.h"

#include <string.h>

#include "binding/state/error.h"

/*
** {== Refusals =======================================================
*/

void pl_access_refuse(lua_State *L, pl_funcobj *h) {
  if (pl_userdata_isclosed(h))
    pl_error_calling(L, "%s is closed", pl_error_pushname(L, h));
  if (h->now.collecting)
    pl_error_calling(L,
                     "%s cannot be used now: it waits for memory, which "
                     "finalizers may free",
                     pl_error_pushname(L, h));
  ph_str name = ph_some(h->now.block) ? ph_block_name(h->f, h->now.block)
                                      : ph_func_name(h->f);
  if (name.n > 0 || !ph_some(h->now.block))
    lua_pushlstring(L, name.at, name.n);
  else
    lua_pushfstring(L, "b%d", (int)h->now.block.id);
  pl_error_plain(L, "out of memory while %s '%s'", h->now.doing,
                 lua_tostring(L, -1));
}

void pl_access_refusecallback(lua_State *L, pl_funcobj *h, const char *but) {
  if (h->now.collecting) pl_access_refuse(L, h);
  pl_error_calling(L,
                   "%s is waiting for a callback of yours (undef, log or of a "
                   "rule): it %s",
                   pl_error_pushname(L, h), but);
}

/* The set of runs is in the registry, under the address of h. */
void pl_access_tellruns(lua_State *L, pl_funcobj *h) {
  luaL_checkstack(L, 4, NULL);
  h->is_watched = false;
  lua_rawgetp(L, LUA_REGISTRYINDEX, h);
  lua_pushnil(L);
  while (lua_next(L, -2)) {
    if (lua_istable(L, -2))
      lua_rawseti(L, -2, 1);
    else
      lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushnil(L);
    lua_rawset(L, -4);
  }
  lua_pop(L, 1);
  lua_pushnil(L);
  lua_rawsetp(L, LUA_REGISTRYINDEX, h);
}

void pl_access_checkmodule(lua_State *L) {
  if (pl_userdata_module(L)->closed)
    pl_error_calling(L, "the Lua state is being closed");
}

ph_func *pl_access_change(lua_State *L, pl_funcobj *h) {
  ph_func *f = pl_access_read(L, h);
  if (h->now.in_callback)
    pl_access_refusecallback(L, h, "can be read, not changed");
  if (h->is_watched) pl_access_tellruns(L, h);
  return f;
}

static _Noreturn void refuse_finished(lua_State *L, pl_funcobj *h) {
  if (ph_func_isdeclaration(h->f))
    pl_error(L, h, "function '%f' is a declaration: it has no body");
  if (ph_finish_isfrozen(h->f))
    pl_error(L, h,
             "function '%f' was parsed from the text of an unfinished "
             "function: it can be read, not changed");
  pl_error(L, h,
           "function '%f' is finished: edit it at cursors, as block:back(), or "
           "by fn:reopen()");
}

void pl_access_refuseopen(lua_State *L, pl_funcobj *h) {
  pl_access_change(L, h);
  refuse_finished(L, h);
}

ph_func *pl_access_edit(lua_State *L, pl_funcobj *h) {
  ph_func *f = pl_access_change(L, h);
  if (ph_finish_isfrozen(f)) refuse_finished(L, h);
  if (!ph_finish_isdone(f))
    pl_error(L, h, "function '%f' is not finished: edit it after fn:finish()");
  return f;
}

void pl_access_checkrecords(lua_State *L, pl_funcobj *h) {
  if (!ph_func_options(pl_access_read(L, h)).accesses)
    pl_error(L, h,
             "function '%f' does not record reads and writes: make it with the "
             "option accesses = true");
}

/* }== Places ========================================================= */

void pl_access_clearplace(pl_funcobj *h) {
  const ph_srcloc nowhere = {0};
  ph_srcloc_sethost(h->f, nowhere, false);
  h->places.is_set = false;
}

ph_srcloc pl_access_caller(lua_State *L, pl_funcobj *h) {
  lua_Debug ar;
  ph_srcloc here = {0};
  if (h->places.where == PL_WHERE_NONE || !pl_error_caller(L, &ar)) return here;
  if (strcmp(h->source_name, ar.short_src) != 0) {
    h->source =
        ph_intern_add(h->f, (ph_str){ar.short_src, strlen(ar.short_src)});
    strcpy(h->source_name, ar.short_src);
  }
  here.file = h->source;
  here.line = (uint32_t)ar.currentline;
  return here;
}

static void set_place(pl_funcobj *h, ph_srcloc here, bool each) {
  if (here.line == 0) return;
  h->places.is_set = true;
  ph_srcloc_sethost(h->f, here, each);
}

void pl_access_place(pl_funcobj *h, ph_srcloc here) {
  set_place(h, here, h->places.where == PL_WHERE_ALL);
}

void pl_access_placecaller(lua_State *L, pl_funcobj *h) {
  pl_access_place(h, pl_access_caller(L, h));
}

void pl_access_placeeach(lua_State *L, pl_funcobj *h) {
  set_place(h, pl_access_caller(L, h), true);
}

/* }== The end of a call ============================================== */

int pl_access_flush(lua_State *L, pl_funcobj *h, int n) {
  if (!h->closed && ph_event_count(h->f) > 0 && !h->now.in_callback &&
      !h->now.flushing)
    h->flush(L, h);
  if (!h->closed) pl_memory_report(L, h);
  return n;
}

/* }=================================================================== */
