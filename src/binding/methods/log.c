/* log.c: construction told step by step, to the option `log` and fn:log.
**
** The core records events during a call; at its end each is passed to the log
** functions.  They can look at the function under construction, not change it.
** If one fails, the others still get all events.  A weak table in the registry
** maps the memory of a logged function to its userdata.
*/
#include "binding/methods/log.h"

#include <string.h>

#include "binding/rules/callback.h"
#include "binding/rules/ruleset.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/funcobj.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Events =========================================================
**
** Most events are looked at briefly or not at all.  So an event, the userdata
** phial.Event, holds ids, and its fields are made when they are read.  What
** changes later is copied: the places, and the ids of operands.
*/

/* User values of an event: its function; the Lua file of the call that caused
** it; the frontend's file, if it has one. */
enum { ITS_FUNC = 1, ITS_SOURCE, ITS_FILE };

typedef struct {
  pl_funcobj *owner;
  ph_event e;
  int line;      /* of the call, in ITS_SOURCE */
  ph_srcloc loc; /* set by fn:set_loc */
  ph_eventinst inst, becomes;
  ph_value args[]; /* theirs */
} event;

/* By kind: its name, and the field for its second value. */
static const struct {
  const char *name;
  const char *other;
} kinds[] = {
    [PH_EV_BLOCK] = {"block", NULL},
    [PH_EV_VAR] = {"var", NULL},
    [PH_EV_EMIT] = {"emit", NULL},
    [PH_EV_WRITE] = {"write", NULL},
    [PH_EV_KILL] = {"kill", NULL},
    [PH_EV_LOOKUP] = {"lookup", NULL},
    [PH_EV_READ] = {"read", NULL},
    [PH_EV_PHI] = {"phi", NULL},
    [PH_EV_OPERAND] = {"operand", "operand"},
    [PH_EV_TRIVIAL] = {"trivial", "by"},
    [PH_EV_REDUNDANT] = {"redundant", "by"},
    [PH_EV_RULE] = {"rule", NULL},
    [PH_EV_FOLDED] = {"folded", NULL},
    [PH_EV_SWAPPED] = {"swapped", NULL},
    [PH_EV_MERGED] = {"merged", NULL},
    [PH_EV_SIMPLIFIED] = {"simplified", "by"},
    [PH_EV_FILLED] = {"filled", NULL},
    [PH_EV_SEALED] = {"sealed", NULL},
    [PH_EV_DEFINED] = {"defined", NULL},
    [PH_EV_DROPPED] = {"dropped", NULL},
    [PH_EV_FINISHED] = {"finished", NULL},
    [PH_EV_REOPENED] = {"reopened", NULL},
    [PH_EV_EDITED] = {"edited", NULL},
    [PH_EV_CLIMB] = {"climb", NULL},
    [PH_EV_MARKED] = {"marked", NULL},
    [PH_EV_MARKFOUND] = {"mark_found", NULL},
    [PH_EV_UNMARKED] = {"unmarked", NULL},
    [PH_EV_REEXAMINED] = {"reexamined", NULL},
    [PH_EV_FRONTIER] = {"frontier", NULL},
    [PH_EV_QUEUED] = {"queued", NULL},
    [PH_EV_TAKEN] = {"taken", NULL},
    [PH_EV_PLACED] = {"placed", NULL},
    [PH_EV_ENTERED] = {"entered", NULL},
    [PH_EV_LEFT] = {"left", NULL},
};

/* Copies an instruction and at most n operands, which go to `args`. */
static ph_eventinst copy_inst(ph_eventinst inst, uint32_t n, ph_value *args) {
  if (inst.nargs > n) inst.nargs = n;
  for (uint32_t i = 0; i < inst.nargs; i++) args[i] = inst.args[i];
  inst.args = args;
  return inst;
}

/* Pushes the event e of the function at fn; `source` (the stack index of a
** string, or nil) and `line` tell where the call was that caused it.  If a
** finalizer closes the function meanwhile, the event is not to be used. */
static void push_event(lua_State *L, int fn, ph_event e, int source, int line) {
  pl_funcobj *h = lua_touserdata(L, fn);
  ph_srcloc loc = h->places.loc;
  ph_eventinst inst = ph_event_inst(h->f, e);
  uint32_t nargs = inst.nargs, more = ph_event_becomes(h->f, e).nargs;
  size_t size = sizeof(event) + (nargs + more) * sizeof(ph_value);
  event *it = lua_newuserdatauv(L, size, loc.file != 0 ? ITS_FILE : ITS_SOURCE);
  it->owner = h;
  it->e = e;
  it->line = line;
  it->loc = loc;
  it->inst = it->becomes = (ph_eventinst){PH_NONE, 0, NULL};
  /* A finalizer may have closed the function, or changed the instruction. */
  if (h->closed) return;
  it->inst = copy_inst(ph_event_inst(h->f, e), nargs, it->args);
  it->becomes = copy_inst(ph_event_becomes(h->f, e), more, it->args + nargs);
  lua_pushvalue(L, fn);
  lua_setiuservalue(L, -2, ITS_FUNC);
  lua_pushvalue(L, source);
  lua_setiuservalue(L, -2, ITS_SOURCE);
  if (loc.file != 0) {
    ph_str file = ph_intern_string(h->f, loc.file);
    lua_pushlstring(L, file.at, file.n);
    lua_setiuservalue(L, -2, ITS_FILE);
  }
  pl_userdata_setkind(L, PL_KIND_EVENT);
}

/* }== Fields of events ===============================================
**
** Each function pushes a field of the event at stack index 1, or nil.
*/

static const ph_block none = {0};

static void push_place(lua_State *L, const event *it) {
  lua_getiuservalue(L, 1, ITS_SOURCE);
  if (!lua_isnil(L, -1))
    lua_pushfstring(L, "%s:%d", lua_tostring(L, -1), it->line);
}

static void push_loc(lua_State *L, const event *it) {
  if (it->loc.line == 0) {
    lua_pushnil(L);
    return;
  }
  pl_srcloc_pushtable(L, it->loc);
  if (it->loc.file != 0) {
    lua_getiuservalue(L, 1, ITS_FILE);
    lua_setfield(L, -2, "file");
  }
}

/* Pushes the handle, which is one of a closed function if that was closed. */
static void push_handle(lua_State *L, const event *it, int kind, uint32_t id) {
  lua_getiuservalue(L, 1, ITS_FUNC);
  pl_handle_give(L, it->owner, lua_gettop(L), kind, id);
}

static void push_block(lua_State *L, const event *it, ph_block b) {
  push_handle(L, it, PL_KIND_BLOCK, b.id);
}

static bool climbs(const event *it) { return it->e.kind == PH_EV_CLIMB; }

static void push_number(lua_State *L, bool has, lua_Integer n) {
  if (has)
    lua_pushinteger(L, n);
  else
    lua_pushnil(L);
}

/* Returns the set of the rule that an event is about, or NULL. */
static const ph_ruleset *set_of(const event *it) {
  const pl_funcobj *h = it->owner;
  bool has = it->e.kind == PH_EV_RULE ||
             (it->e.kind == PH_EV_EMIT && it->e.index != 0);
  if (!has || pl_userdata_isclosed(h) || !pl_ruleset_isopen(h->rules))
    return NULL;
  return h->rules->set;
}

static void push_rule(lua_State *L, const event *it) {
  const ph_ruleset *set = set_of(it);
  if (set != NULL)
    pl_callback_pushname(L, set, it->e.index);
  else
    lua_pushnil(L);
}

static void push_rule_text(lua_State *L, const event *it) {
  const ph_ruleset *set = it->e.kind == PH_EV_RULE ? set_of(it) : NULL;
  ph_str text = {0};
  if (set != NULL) text = ph_ruleset_text(set, it->e.index);
  if (text.n > 0)
    lua_pushlstring(L, text.at, text.n);
  else
    lua_pushnil(L);
}

/* Pushes the handle of what v is by now. */
static void push_value(lua_State *L, const event *it, ph_value v) {
  if (ph_some(v) && !pl_userdata_isclosed(it->owner))
    v = ph_value_resolve(pl_access_read(L, it->owner), v);
  push_handle(L, it, PL_KIND_VALUE, v.id);
}

static void push_id(lua_State *L, const event *it, ph_value v) {
  (void)it;
  push_number(L, ph_some(v), v.id);
}

/* The second value, if `name` is its field; or none. */
static ph_value second_value(const event *it, const char *name) {
  const char *field = kinds[it->e.kind].other;
  bool same = field != NULL && strcmp(field, name) == 0;
  return same ? it->e.other : (ph_value){0};
}

static void push_op(lua_State *L, const event *it, ph_op op) {
  pl_funcobj *h = it->owner;
  if (op == PH_NONE || pl_userdata_isclosed(h)) {
    lua_pushnil(L);
    return;
  }
  h->buf.n = 0;
  ph_print_op(&h->buf, h->f, op);
  lua_pushlstring(L, h->buf.at, h->buf.n);
}

/* Pushes a list of what `push` pushes for each operand of an instruction of the
** event. */
static void push_args(lua_State *L, const event *it, const ph_eventinst *inst,
                      void (*push)(lua_State *, const event *, ph_value)) {
  int top = lua_gettop(L) + 1;
  if (inst->op == PH_NONE) {
    lua_pushnil(L);
    return;
  }
  lua_createtable(L, (int)inst->nargs, 0);
  for (uint32_t i = 0; i < inst->nargs; i++) {
    push(L, it, inst->args[i]);
    lua_rawseti(L, top, (lua_Integer)i + 1);
    lua_settop(L, top);
  }
}

/* FIELD(name, push): the name, and how it is pushed for the event `it`.  A climb
** has `from` and `to`, other events have `block`.  Of an emit, `op` is that of
** its value. */
#define EACH_FIELD(FIELD)                                           \
  FIELD(event, lua_pushstring(L, kinds[it->e.kind].name))           \
  FIELD(block, push_block(L, it, climbs(it) ? none : it->e.block))  \
  FIELD(var, push_handle(L, it, PL_KIND_VAR, it->e.var.id))         \
  FIELD(value, push_value(L, it, it->e.value))                      \
  FIELD(value_id, push_id(L, it, it->e.value))                      \
  FIELD(op, push_op(L, it, it->e.was != 0 ? it->inst.op : PH_NONE)) \
  FIELD(args, push_args(L, it, &it->inst, push_value))              \
  FIELD(args_id, push_args(L, it, &it->inst, push_id))              \
  FIELD(new_op, push_op(L, it, it->becomes.op))                     \
  FIELD(new_args, push_args(L, it, &it->becomes, push_value))       \
  FIELD(new_args_id, push_args(L, it, &it->becomes, push_id))       \
  FIELD(operand, push_value(L, it, second_value(it, "operand")))    \
  FIELD(operand_id, push_id(L, it, second_value(it, "operand")))    \
  FIELD(index, push_number(L, it->e.kind == PH_EV_OPERAND,          \
                           (lua_Integer)it->e.index + 1))           \
  FIELD(from, push_block(L, it, it->e.from))                        \
  FIELD(to, push_block(L, it, climbs(it) ? it->e.block : none))     \
  FIELD(passed, push_number(L, climbs(it), it->e.index))            \
  FIELD(rule, push_rule(L, it))                                     \
  FIELD(rule_text, push_rule_text(L, it))                           \
  FIELD(by, push_value(L, it, second_value(it, "by")))              \
  FIELD(by_id, push_id(L, it, second_value(it, "by")))              \
  FIELD(place, push_place(L, it))                                   \
  FIELD(loc, push_loc(L, it))

#define PUSH(name, push) \
  static void field_##name(lua_State *L, const event *it) { push; }
EACH_FIELD(PUSH)

static const struct {
  const char *name;
  void (*push)(lua_State *L, const event *it);
} fields[] = {
#define ROW(name, push) {#name, field_##name},
    EACH_FIELD(ROW)};

enum { FIELDS = sizeof fields / sizeof *fields };

/* The number of the field whose name is at stack index 2; FIELDS if none is. */
static int find_field(lua_State *L) {
  const char *name = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  int i = 0;
  while (i < FIELDS && strcmp(fields[i].name, name) != 0) i++;
  return i;
}

/* event.NAME */
static int l_index(lua_State *L) {
  const event *it = pl_arg_self(L, PL_KIND_EVENT);
  int i = find_field(L);
  if (i == FIELDS)
    lua_pushnil(L);
  else
    fields[i].push(L, it);
  return 1;
}

/* Returns the field after the one at stack index 2, and its name. */
static int l_next(lua_State *L) {
  const event *it = pl_arg_self(L, PL_KIND_EVENT);
  int i = lua_isnoneornil(L, 2) ? 0 : find_field(L) + 1;
  for (lua_settop(L, 2); i < FIELDS; i++) {
    fields[i].push(L, it);
    if (!lua_isnil(L, -1)) {
      lua_pushstring(L, fields[i].name);
      lua_insert(L, -2);
      return 2;
    }
    lua_settop(L, 2);
  }
  lua_pushnil(L);
  return 1;
}

/* pairs(event): the fields that it has. */
static int l_pairs(lua_State *L) {
  pl_arg_self(L, PL_KIND_EVENT);
  lua_getmetatable(L, 1);
  lua_getfield(L, -1, "__next");
  lua_pushvalue(L, 1);
  return 2;
}

/* }== Listeners ====================================================== */

static const char OWNERS[1]; /* its address is a key: memory -> userdata */

/* Enters the function at fn into the table of owners. */
static void enter_owner(lua_State *L, pl_funcobj *h, int fn) {
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
  pl_funcobj_pushkept(L, fn, PL_KEPT_LOG);
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
  t->h->now.in_callback = true;
  lua_call(L, 1, 0);
  t->h->now.in_callback = false;
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
    push_event(L, 1, ph_event_at(h->f, t->i), 2, t->line);
    while (!h->closed && t->k <= n) call_listener(L, t, 4);
    lua_settop(L, 3);
  }
  return 0;
}

/* The same in protected mode; false if something failed: the error is on top,
** and t is at the next call. */
static bool tell_protected(lua_State *L, int top, telling *t) {
  telling before = *t;
  int status;
  for (int i = OWNER; i <= LISTENERS; i++) lua_pushvalue(L, top + i);
  status = pl_protect_run(L, tell_rest, t, 3);
  t->h->now.in_callback = false;
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
    bool failed = !tell_protected(L, top, &t);
    if (failed && good) lua_replace(L, top + FAILURE);
    lua_settop(L, top + FAILURE);
    good = good && !failed;
  }
  return good;
}

static void flush_events(lua_State *L, pl_funcobj *h) {
  int top = lua_gettop(L), line;
  bool good = true;
  luaL_checkstack(L, 14, NULL);
  lua_rawgetp(L, LUA_REGISTRYINDEX, OWNERS);
  /* nil if the function is garbage and a finalizer uses it */
  if (lua_rawgetp(L, -1, h) == LUA_TUSERDATA) {
    line = push_caller(L);
    push_listeners(L, top + OWNER);
    lua_pushnil(L);
    h->now.flushing = true;
    good = tell_all(L, h, top, line);
    h->now.flushing = false;
  }
  if (!h->closed) ph_event_clear(h->f);
  if (!good && pl_protect_hasyielded(L))
    pl_error_plain(L, "a log function may not yield");
  if (!good) lua_error(L);
  lua_settop(L, top);
}

/* }== Starting ======================================================= */

/* Has the function at stack index `log` called with each step. */
static void add_listener(lua_State *L, pl_funcobj *h, int fn, int log,
                         bool detail) {
  lua_Integer k;
  enter_owner(L, h, fn);
  push_listeners(L, fn);
  if (lua_isnil(L, -1)) {
    lua_pop(L, 1);
    lua_newtable(L);
    pl_funcobj_keep(L, fn, PL_KEPT_LOG, lua_gettop(L));
  }
  pl_access_again(L, h);
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
  h->flush = flush_events;
  h->has_log = true;
}

static const char KEEPER[1]; /* its address is the key of keep_log's argument */

/* phial.core.keep_log(f): f(fn, detail) makes a function keep a log, and returns
** that */
static int l_keep_log(lua_State *L) {
  luaL_checktype(L, 1, LUA_TFUNCTION);
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, KEEPER);
  return 0;
}

/* Without the facade no log can be kept. */
static bool can_keep(lua_State *L) {
  bool can = lua_rawgetp(L, LUA_REGISTRYINDEX, KEEPER) == LUA_TFUNCTION;
  lua_pop(L, 1);
  return can;
}

void pl_log_start(lua_State *L, pl_funcobj *h, int fn, pl_logging logging) {
  if (logging.keeps) {
    lua_rawgetp(L, LUA_REGISTRYINDEX, KEEPER);
    lua_pushvalue(L, fn);
    lua_pushboolean(L, logging.detail);
    lua_call(L, 2, 1);
    return;
  }
  add_listener(L, h, fn, logging.at, logging.detail);
  lua_pushnil(L);
}

/* }== What is to be logged =========================================== */

/* True if the key below the top is "detail". */
static bool is_detail(lua_State *L) {
  bool is;
  lua_pushliteral(L, "detail");
  is = lua_rawequal(L, -1, -3);
  lua_pop(L, 1);
  return is;
}

/* Takes {function, detail =} at `from`; pushes the function, or nil. */
static void take_table(lua_State *L, pl_logging *it, int from, int arg,
                       const char *what) {
  for (lua_pushnil(L); lua_next(L, from) != 0; lua_pop(L, 1)) {
    if (is_detail(L)) {
      if (!lua_isboolean(L, -1))
        pl_error_plainarg(L, arg, "%s'detail': boolean expected, got %s", what,
                          pl_error_type(L, -1));
      it->detail = lua_toboolean(L, -1);
    } else if (!lua_isinteger(L, -2) || lua_tointeger(L, -2) != 1) {
      pl_error_plainarg(L, arg, "%sunknown field '%s'", what,
                        pl_error_tostring(L, -2));
    }
  }
  lua_rawgeti(L, from, 1);
}

/* An object with a metatable is not a table of options. */
pl_logging pl_log_take(lua_State *L, int from, int arg, const char *what) {
  pl_logging it = {0, false, false};
  bool is_table = lua_istable(L, from) && !lua_getmetatable(L, from);
  bool is_boolean = lua_isboolean(L, from), names_none;
  it.at = lua_gettop(L) + 1;
  if (is_table)
    take_table(L, &it, from, arg, what);
  else
    lua_pushvalue(L, from);
  names_none =
      is_table ? lua_isnil(L, -1) : lua_toboolean(L, from) == 1 && is_boolean;
  it.keeps = names_none && can_keep(L);
  if (it.keeps || (is_boolean && !names_none)) {
    it.at = 0;
  } else if (!lua_isfunction(L, -1)) {
    pl_error_plainarg(L, arg, "%sa function expected, got %s", what,
                      pl_error_type(L, -1));
  }
  return it;
}

/* fn:log(it): the log, if one is kept */
static int l_log(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 1, 1);
  pl_logging logging;
  pl_access_change(L, h);
  logging = pl_log_take(L, 2, 2, "");
  if (!logging.keeps && logging.at == 0) return 0;
  pl_log_start(L, h, 1, logging);
  return 1;
}

const pl_method pl_log_methods[] = {
    {PL_OF_EVENT, "__index", l_index},      {PL_OF_EVENT, "__next", l_next},
    {PL_OF_EVENT, "__pairs", l_pairs},      {PL_OF_FUNC, "log", l_log},
    {PL_OF_MODULE, "keep_log", l_keep_log}, {0},
};
