/* event.c: the userdata phial.Event: a step of construction, as log functions
** get it.
**
** Most events are looked at briefly or not at all.  So an event holds ids, and
** its fields are made when they are read.  What changes later is copied: the
** places, and the ids of operands.
*/
#include "binding/methods/event.h"

#include <string.h>

#include "binding/rules/callback.h"
#include "binding/rules/ruleset.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/* User values of an event: its function; the Lua file of the call that caused
** it; the frontend's file, if it has one. */
enum { ITS_FUNC = 1, ITS_SOURCE, ITS_FILE };

typedef struct {
  pl_funcobj *owner;
  ph_event e;
  int line;       /* of the call, in ITS_SOURCE */
  ph_srcloc loc;  /* set by fn:loc */
  uint32_t nargs; /* NO_ARGS: not an instruction */
  uint32_t args[];
} event;

static const uint32_t NO_ARGS = UINT32_MAX;

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
};

/*
** {== Making =========================================================
*/

static void push_file(lua_State *L, const ph_func *f, ph_srcloc loc) {
  ph_str file = ph_intern_string(f, loc.file);
  lua_pushlstring(L, file.at, file.n);
}

static uint32_t count_args(const ph_func *f, ph_event e) {
  bool is_inst = e.kind == PH_EV_EMIT || e.kind == PH_EV_FILLED;
  return is_inst ? ph_event_nargs(f, e.value) : NO_ARGS;
}

void pl_event_push(lua_State *L, int fn, ph_event e, int source, int line) {
  pl_funcobj *h = lua_touserdata(L, fn);
  ph_srcloc loc = h->loc;
  uint32_t nargs = count_args(h->f, e), n = nargs != NO_ARGS ? nargs : 0;
  size_t size = sizeof(event) + n * sizeof(uint32_t);
  event *it = lua_newuserdatauv(L, size, loc.file != 0 ? ITS_FILE : ITS_SOURCE);
  it->owner = h;
  it->e = e;
  it->line = line;
  it->loc = loc;
  it->nargs = nargs;
  /* A finalizer may have closed the function, or changed the instruction. */
  if (h->closed) return;
  if (n > count_args(h->f, e)) it->nargs = n = count_args(h->f, e);
  for (uint32_t i = 0; i < n; i++)
    it->args[i] = ph_event_arg(h->f, e.value, i).id;
  lua_pushvalue(L, fn);
  lua_setiuservalue(L, -2, ITS_FUNC);
  lua_pushvalue(L, source);
  lua_setiuservalue(L, -2, ITS_SOURCE);
  if (loc.file != 0) {
    push_file(L, h->f, loc);
    lua_setiuservalue(L, -2, ITS_FILE);
  }
  pl_userdata_setkind(L, PL_UP_EVENT);
}

/* }== Fields =========================================================
**
** Each function pushes a field of the event at stack index 1, or nil.
*/

static void push_kind(lua_State *L, const event *it) {
  lua_pushstring(L, kinds[it->e.kind].name);
}

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
  if (id == 0) {
    lua_pushnil(L);
    return;
  }
  lua_getiuservalue(L, 1, ITS_FUNC);
  pl_handle_give(L, it->owner, lua_gettop(L), kind, id);
}

/* A climb has `from` and `to` instead. */
static void push_block(lua_State *L, const event *it) {
  bool climbs = it->e.kind == PH_EV_CLIMB;
  push_handle(L, it, PL_UP_BLOCK, climbs ? 0 : it->e.block.id);
}

static void push_to(lua_State *L, const event *it) {
  bool climbs = it->e.kind == PH_EV_CLIMB;
  push_handle(L, it, PL_UP_BLOCK, climbs ? it->e.block.id : 0);
}

static void push_passed(lua_State *L, const event *it) {
  if (it->e.kind == PH_EV_CLIMB)
    lua_pushinteger(L, it->e.index);
  else
    lua_pushnil(L);
}

static void push_rule(lua_State *L, const event *it) {
  const pl_funcobj *h = it->owner;
  if (it->e.kind == PH_EV_RULE && !pl_userdata_isclosed(h) &&
      pl_ruleset_isopen(h->rules))
    pl_callback_pushname(L, h->rules->set, it->e.index);
  else
    lua_pushnil(L);
}

static void push_from(lua_State *L, const event *it) {
  push_handle(L, it, PL_UP_BLOCK, it->e.from.id);
}

static void push_var(lua_State *L, const event *it) {
  push_handle(L, it, PL_UP_VAR, it->e.var.id);
}

/* Pushes the handle of what v is by now. */
static void push_present(lua_State *L, const event *it, ph_value v) {
  if (ph_some(v) && !pl_userdata_isclosed(it->owner))
    v = ph_value_resolve(pl_access_read(L, it->owner), v);
  push_handle(L, it, PL_UP_VALUE, v.id);
}

static void push_id(lua_State *L, ph_value v) {
  if (ph_some(v))
    lua_pushinteger(L, v.id);
  else
    lua_pushnil(L);
}

static void push_value(lua_State *L, const event *it) {
  push_present(L, it, it->e.value);
}

static void push_value_id(lua_State *L, const event *it) {
  push_id(L, it->e.value);
}

/* The second value, if `name` is its field; or none. */
static ph_value other(const event *it, const char *name) {
  const char *field = kinds[it->e.kind].other;
  bool same = field != NULL && strcmp(field, name) == 0;
  return same ? it->e.other : (ph_value){0};
}

static void push_operand(lua_State *L, const event *it) {
  push_present(L, it, other(it, "operand"));
}

static void push_operand_id(lua_State *L, const event *it) {
  push_id(L, other(it, "operand"));
}

static void push_by(lua_State *L, const event *it) {
  push_present(L, it, other(it, "by"));
}

static void push_by_id(lua_State *L, const event *it) {
  push_id(L, other(it, "by"));
}

static void push_index(lua_State *L, const event *it) {
  if (it->e.kind == PH_EV_OPERAND)
    lua_pushinteger(L, (lua_Integer)it->e.index + 1);
  else
    lua_pushnil(L);
}

static void push_args_id(lua_State *L, const event *it) {
  if (it->nargs == NO_ARGS) {
    lua_pushnil(L);
    return;
  }
  lua_createtable(L, (int)it->nargs, 0);
  for (uint32_t i = 0; i < it->nargs; i++) {
    lua_pushinteger(L, it->args[i]);
    lua_rawseti(L, -2, (lua_Integer)i + 1);
  }
}

static const struct {
  const char *name;
  void (*push)(lua_State *L, const event *it);
} fields[] = {
    {"event", push_kind},
    {"block", push_block},
    {"var", push_var},
    {"value", push_value},
    {"value_id", push_value_id},
    {"args_id", push_args_id},
    {"operand", push_operand},
    {"operand_id", push_operand_id},
    {"index", push_index},
    {"from", push_from},
    {"to", push_to},
    {"passed", push_passed},
    {"rule", push_rule},
    {"by", push_by},
    {"by_id", push_by_id},
    {"place", push_place},
    {"loc", push_loc},
};

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
  const event *it = pl_arg_self(L, PL_UP_EVENT);
  int i = find_field(L);
  if (i == FIELDS)
    lua_pushnil(L);
  else
    fields[i].push(L, it);
  return 1;
}

/* Returns the field after the one at stack index 2, and its name. */
static int l_next(lua_State *L) {
  const event *it = pl_arg_self(L, PL_UP_EVENT);
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
  pl_arg_self(L, PL_UP_EVENT);
  lua_getmetatable(L, 1);
  lua_getfield(L, -1, "__next");
  lua_pushvalue(L, 1);
  return 2;
}

/* }=================================================================== */

const pl_method pl_event_methods[] = {
    {PL_OF_EVENT, "__index", l_index},
    {PL_OF_EVENT, "__next", l_next},
    {PL_OF_EVENT, "__pairs", l_pairs},
    {0},
};
