/* log.c: construction told step by step, to the option `log` and fn:log.
**
** The core records events during a call; at its end each is passed to the log
** functions as a table.  They can look at the function under construction, not
** change it.  If one fails, the others still get all events.  A weak table in
** the registry maps the memory of a logged function to its userdata.
*/
#include "binding/methods/log.h"

#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"
#include "binding/state/protect.h"
#include "binding/state/srcloc.h"

static const char OWNERS[] = "phial.logged"; /* memory -> userdata */

/* By the kind of event: its name, and the field for its second value. */
static const struct {
  const char *name;
  const char *other;
} kinds[] = {
    [PH_EV_BLOCK] = {"block", NULL},
    [PH_EV_VAR] = {"var", NULL},
    [PH_EV_EMIT] = {"emit", NULL},
    [PH_EV_WRITE] = {"write", NULL},
    [PH_EV_LOOKUP] = {"lookup", NULL},
    [PH_EV_READ] = {"read", NULL},
    [PH_EV_PHI] = {"phi", NULL},
    [PH_EV_OPERAND] = {"operand", "operand"},
    [PH_EV_TRIVIAL] = {"trivial", "by"},
    [PH_EV_REDUNDANT] = {"redundant", "by"},
    [PH_EV_RULE] = {"rule", NULL},
    [PH_EV_SIMPLIFIED] = {"simplified", "by"},
    [PH_EV_FILLED] = {"filled", NULL},
    [PH_EV_SEALED] = {"sealed", NULL},
    [PH_EV_DEFINED] = {"defined", NULL},
    [PH_EV_DROPPED] = {"dropped", NULL},
    [PH_EV_FINISHED] = {"finished", NULL},
    [PH_EV_REOPENED] = {"reopened", NULL},
    [PH_EV_EDITED] = {"edited", NULL},
};

/*
** {== Listeners ======================================================
*/

/* Enters the function at fn into the table of owners. */
static void own(lua_State *L, pl_funcobj *h, int fn) {
  if (!luaL_getsubtable(L, LUA_REGISTRYINDEX, OWNERS)) {
    lua_getmetatable(L, lua_upvalueindex(PL_UP_HANDLES)); /* weak */
    lua_setmetatable(L, -2);
  }
  lua_pushvalue(L, fn);
  lua_rawsetp(L, -2, h);
  lua_pop(L, 1);
}

/* Pushes the list of log functions, which may be nil. */
static void push_listeners(lua_State *L, int fn) {
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  lua_rawgeti(L, -1, PL_KEPT_LOG);
  lua_remove(L, -2);
}

/* }== Events as tables =============================================== */

static void set_id(lua_State *L, const char *field, uint32_t id) {
  lua_pushfstring(L, "%s_id", field);
  lua_pushinteger(L, id);
  lua_rawset(L, -3);
}

/* Sets a field to the handle of what v is by now, and FIELD_id to the id of v.
*/
static void set_value(lua_State *L, int fn, pl_funcobj *h, const char *field,
                      ph_value v) {
  if (!ph_some(v)) return;
  pl_handle_pushvalue(L, fn, ph_value_resolve(pl_access_read(L, h), v));
  lua_setfield(L, -2, field);
  set_id(L, field, v.id);
}

static void set_block(lua_State *L, int fn, const char *field, ph_block b) {
  if (!ph_some(b)) return;
  pl_handle_pushblock(L, fn, b);
  lua_setfield(L, -2, field);
}

/* args_id: the ids that the operands of an instruction had in the event. */
static void set_args(lua_State *L, pl_funcobj *h, ph_value v) {
  uint32_t n = ph_event_nargs(pl_access_read(L, h), v);
  lua_createtable(L, (int)n, 0);
  for (uint32_t i = 0; i < n; i++) {
    lua_pushinteger(L, ph_event_arg(pl_access_read(L, h), v, i).id);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
  lua_setfield(L, -2, "args_id");
}

/* Pushes the event as a table; place: stack index of "file:line" or nil.
** Finalizers may close the function meanwhile. */
static void push_event(lua_State *L, pl_funcobj *h, int fn, int place,
                       ph_event e) {
  lua_createtable(L, 0, 8);
  lua_pushstring(L, kinds[e.kind].name);
  lua_setfield(L, -2, "event");
  lua_pushvalue(L, place);
  lua_setfield(L, -2, "place");
  pl_srcloc_setloc(L, h, h->loc);
  set_block(L, fn, "block", e.block);
  set_block(L, fn, "from", e.from);
  if (ph_some(e.var)) {
    pl_handle_pushvar(L, fn, e.var);
    lua_setfield(L, -2, "var");
  }
  set_value(L, fn, h, "value", e.value);
  if (kinds[e.kind].other != NULL)
    set_value(L, fn, h, kinds[e.kind].other, e.other);
  if (e.kind == PH_EV_EMIT || e.kind == PH_EV_FILLED) set_args(L, h, e.value);
  if (e.kind == PH_EV_OPERAND) {
    lua_pushinteger(L, (lua_Integer)e.index + 1);
    lua_setfield(L, -2, "index");
  }
}

/* }== Telling ======================================================== */

/* Stack indices relative to `top`. */
enum { OWNER = 2, PLACE, LISTENERS, FAILURE };

/* An event for listener k. */
typedef struct {
  pl_funcobj *h;
  lua_Integer k;
  ph_event e;
} telling;

/* Its arguments: the function, the place and the listeners. */
static int tell_one(lua_State *L, void *ud) {
  const telling *t = ud;
  luaL_checkstack(L, 12, NULL);
  lua_rawgeti(L, 3, t->k);
  push_event(L, t->h, 1, 2, t->e);
  t->h->in_callback = true;
  lua_call(L, 1, 0);
  return 0;
}

/* Calls listener k with an event; false if it failed: the error is on top. */
static bool tell(lua_State *L, pl_funcobj *h, int top, lua_Integer k,
                 ph_event e) {
  telling t = {h, k, e};
  int status;
  for (int i = OWNER; i <= LISTENERS; i++) lua_pushvalue(L, top + i);
  status = pl_protect_run(L, tell_one, &t, 3);
  h->in_callback = false;
  h->L = L;
  return status == LUA_OK;
}

/* Tells all events to all listeners; false if one failed: the first error is
** kept.  A finalizer that runs meanwhile may make more events, or close the
** function. */
static bool tell_all(lua_State *L, pl_funcobj *h, int top) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, top + LISTENERS);
  bool good = true;
  for (uint32_t i = 0; !h->closed && i < ph_event_count(h->f); i++)
    for (lua_Integer k = 1; !h->closed && k <= n; k++) {
      bool failed = !tell(L, h, top, k, ph_event_at(h->f, i));
      if (failed && good) lua_replace(L, top + FAILURE);
      lua_settop(L, top + FAILURE);
      good = good && !failed;
    }
  return good;
}

static void flush(lua_State *L, pl_funcobj *h) {
  int top = lua_gettop(L);
  bool good = true;
  luaL_checkstack(L, 14, NULL);
  lua_getfield(L, LUA_REGISTRYINDEX, OWNERS);
  /* nil if the function is garbage and a finalizer uses it */
  if (lua_rawgetp(L, -1, h) == LUA_TUSERDATA) {
    pl_error_pushplace(L);
    push_listeners(L, top + OWNER);
    lua_pushnil(L);
    h->flushing = true;
    good = tell_all(L, h, top);
    h->flushing = false;
  }
  if (!h->closed) ph_event_clear(h->f);
  if (!good) lua_error(L);
  lua_settop(L, top);
}

/* }== Starting ======================================================= */

static void start_list(lua_State *L, int fn) {
  lua_pop(L, 1);
  lua_newtable(L);
  lua_getiuservalue(L, fn, PL_ITS_KEPT);
  lua_pushvalue(L, -2);
  lua_rawseti(L, -2, PL_KEPT_LOG);
  lua_pop(L, 1);
}

void pl_log_start(lua_State *L, pl_funcobj *h, int fn, int log) {
  own(L, h, fn);
  push_listeners(L, fn);
  if (lua_isnil(L, -1)) start_list(L, fn);
  lua_pushvalue(L, log);
  lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
  lua_pop(L, 1);
  ph_event_listen(h->f);
  h->flush = flush;
  h->has_log = true;
}

/* fn:log(f) */
static int l_log(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, 1, 1);
  pl_access_change(L, h);
  if (!lua_isfunction(L, 2))
    pl_error_arg(L, h, 2, "function expected, got %s", luaL_typename(L, 2));
  pl_log_start(L, h, 1, 2);
  return 0;
}

/* }=================================================================== */

const pl_method pl_log_methods[] = {
    {PL_OF_FUNC, "log", l_log},
    {0},
};
