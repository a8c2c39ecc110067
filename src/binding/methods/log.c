/* log.c: construction told step by step, to the option `log` and fn:log.
**
** The core records events during a call; at its end each is passed to the log
** functions.  They can look at the function under construction, not change it.
** If one fails, the others still get all events.  A weak table in the registry
** maps the memory of a logged function to its userdata.
*/
#include "binding/methods/log.h"

#include "binding/methods/event.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/method.h"

static const char OWNERS[1]; /* its address is a key: memory -> userdata */

/*
** {== Listeners ======================================================
*/

/* Enters the function at fn into the table of owners. */
static void own(lua_State *L, pl_funcobj *h, int fn) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, OWNERS) != LUA_TTABLE) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_getmetatable(L, lua_upvalueindex(PL_UP_HANDLES)); /* weak */
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawsetp(L, LUA_REGISTRYINDEX, OWNERS);
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

/* }== Telling ======================================================== */

/* Stack indices relative to `top`. */
enum { OWNER = 2, SOURCE, LISTENERS, FAILURE };

/* Pushes the file of the caller, or nil; returns the line. */
static int push_caller(lua_State *L) {
  lua_Debug ar;
  if (!pl_error_caller(L, &ar)) {
    lua_pushnil(L);
    return 0;
  }
  lua_pushstring(L, ar.short_src);
  return ar.currentline;
}

/* The next call: of listener k, with event i. */
typedef struct {
  pl_funcobj *h;
  int line; /* of the caller */
  uint32_t i;
  lua_Integer k;
} telling;

/* True if listener k, of the list at stack index 3, takes details: the list has
** something at -k. */
static bool takes_details(lua_State *L, lua_Integer k) {
  bool takes = lua_rawgeti(L, 3, -k) != LUA_TNIL;
  lua_pop(L, 1);
  return takes;
}

static void call_listener(lua_State *L, telling *t, int at) {
  lua_Integer k = t->k++;
  if (ph_event_isdetail(ph_event_at(t->h->f, t->i).kind) &&
      !takes_details(L, k))
    return;
  lua_rawgeti(L, 3, k);
  lua_pushvalue(L, at);
  t->h->in_callback = true;
  lua_call(L, 1, 0);
  t->h->in_callback = false;
  t->h->L = L;
}

/* Tells the events from t->i on.  Its arguments: the function, the file of the
** caller and the listeners.  A finalizer that runs meanwhile may make more
** events, or close the function. */
static int tell_rest(lua_State *L, void *ud) {
  telling *t = ud;
  const pl_funcobj *h = t->h;
  lua_Integer n = (lua_Integer)lua_rawlen(L, 3);
  luaL_checkstack(L, 16, NULL);
  for (; !h->closed && t->i < ph_event_count(h->f); t->i++, t->k = 1) {
    pl_event_push(L, 1, ph_event_at(h->f, t->i), 2, t->line);
    while (!h->closed && t->k <= n) call_listener(L, t, 4);
    lua_settop(L, 3);
  }
  return 0;
}

/* The same in protected mode; false if something failed: the error is on top,
** and t is at the next call. */
static bool tell(lua_State *L, int top, telling *t) {
  telling before = *t;
  int status;
  for (int i = OWNER; i <= LISTENERS; i++) lua_pushvalue(L, top + i);
  status = pl_protect_run(L, tell_rest, t, 3);
  t->h->in_callback = false;
  t->h->L = L;
  if (status == LUA_OK) return true;
  if (t->i == before.i && t->k == before.k) t->i++; /* it cannot be made */
  return false;
}

/* Tells all events to all listeners; false if one failed: the first error is
** kept. */
static bool tell_all(lua_State *L, pl_funcobj *h, int top, int line) {
  telling t = {h, line, 0, 1};
  bool good = true;
  while (!h->closed && t.i < ph_event_count(h->f)) {
    bool failed = !tell(L, top, &t);
    if (failed && good) lua_replace(L, top + FAILURE);
    lua_settop(L, top + FAILURE);
    good = good && !failed;
  }
  return good;
}

static void flush(lua_State *L, pl_funcobj *h) {
  int top = lua_gettop(L), line;
  bool good = true;
  luaL_checkstack(L, 14, NULL);
  lua_rawgetp(L, LUA_REGISTRYINDEX, OWNERS);
  /* nil if the function is garbage and a finalizer uses it */
  if (lua_rawgetp(L, -1, h) == LUA_TUSERDATA) {
    line = push_caller(L);
    push_listeners(L, top + OWNER);
    lua_pushnil(L);
    h->flushing = true;
    good = tell_all(L, h, top, line);
    h->flushing = false;
  }
  if (!h->closed) ph_event_clear(h->f);
  if (!good && pl_protect_hasyielded(L))
    pl_error_plain(L, "a log function may not yield");
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

void pl_log_start(lua_State *L, pl_funcobj *h, int fn, int log, bool detail) {
  lua_Integer k;
  own(L, h, fn);
  push_listeners(L, fn);
  if (lua_isnil(L, -1)) start_list(L, fn);
  pl_access_read(L, h); /* finalizers may have run */
  k = (lua_Integer)lua_rawlen(L, -1) + 1;
  lua_pushvalue(L, log);
  lua_rawseti(L, -2, k);
  if (detail) {
    lua_pushboolean(L, true);
    lua_rawseti(L, -2, -k);
    ph_event_listendetail(h->f);
  }
  lua_pop(L, 1);
  ph_event_listen(h->f);
  h->flush = flush;
  h->has_log = true;
}

static bool take_detail(lua_State *L, int arg) {
  static const char *const known[] = {"detail"};
  pl_arg_fields(L, arg, known, 1);
  return pl_arg_field(L, arg, "detail") != LUA_TNIL &&
         pl_arg_boolopt(L, arg, "detail");
}

static const char KEEPER[1]; /* its address is the key of keep_log's argument */

/* phial.core.keep_log(f): f(fn, {detail =}) makes a function keep a log */
static int l_keep_log(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, KEEPER);
  return 0;
}

bool pl_log_cankeep(lua_State *L) {
  bool can = lua_rawgetp(L, LUA_REGISTRYINDEX, KEEPER) == LUA_TFUNCTION;
  lua_pop(L, 1);
  return can;
}

void pl_log_keep(lua_State *L, int fn, bool detail) {
  lua_rawgetp(L, LUA_REGISTRYINDEX, KEEPER);
  lua_pushvalue(L, fn);
  lua_createtable(L, 0, 1);
  lua_pushboolean(L, detail);
  lua_setfield(L, -2, "detail");
  lua_call(L, 2, 0);
}

/* fn:log(f, {detail =}) */
static int l_log(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, 1, 2);
  bool detail = false;
  pl_access_change(L, h);
  if (!lua_isfunction(L, 2))
    pl_error_arg(L, h, 2, "function expected, got %s", luaL_typename(L, 2));
  if (!lua_isnoneornil(L, 3)) detail = take_detail(L, 3);
  pl_log_start(L, h, 1, 2, detail);
  return 0;
}

/* }=================================================================== */

const pl_method pl_log_methods[] = {
    {PL_OF_FUNC, "log", l_log},
    {PL_OF_MODULE, "keep_log", l_keep_log},
    {0},
};
