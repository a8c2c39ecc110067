/* log.c: the option `log`: construction told step by step.
**
** The core keeps events while a call works; when it is done each is handed to
** the user's function as a table.  That function can look at the function
** under construction, not change it.  From the function's memory to its
** userdata leads a weak table in the registry, of logged functions only.
*/
#include "binding/binding.h"

static const char OWNERS[] = "phial.logged"; /* memory -> userdata */

/* What the fields `value` and `by` are, by the kind of event. */
static const struct {
  const char *name;
  const char *other;
} kinds[] = {
    [PH_EV_BLOCK] = {"block", NULL},
    [PH_EV_EMIT] = {"emit", NULL},
    [PH_EV_WRITE] = {"write", NULL},
    [PH_EV_LOOKUP] = {"lookup", NULL},
    [PH_EV_READ] = {"read", NULL},
    [PH_EV_PHI] = {"phi", NULL},
    [PH_EV_OPERAND] = {"operand", "operand"},
    [PH_EV_TRIVIAL] = {"trivial", "by"},
    [PH_EV_REDUNDANT] = {"redundant", "by"},
    [PH_EV_FILLED] = {"filled", NULL},
    [PH_EV_SEALED] = {"sealed", NULL},
    [PH_EV_DROPPED] = {"dropped", NULL},
};

void ph_log_start(lua_State *L, ph_host *h, int fn, int log) {
  if (!luaL_getsubtable(L, LUA_REGISTRYINDEX, OWNERS)) {
    lua_pushvalue(L, lua_upvalueindex(PH_UP_WEAK));
    lua_setmetatable(L, -2);
  }
  lua_pushvalue(L, fn);
  lua_rawsetp(L, -2, h);
  lua_getiuservalue(L, fn, PH_ITS_KEPT);
  lua_pushvalue(L, log);
  lua_rawseti(L, -2, PH_KEPT_LOG);
  lua_pop(L, 2);
  ph_event_listen(h->f);
}

static void set_id(lua_State *L, const char *field, uint32_t id) {
  lua_pushfstring(L, "%s_id", field);
  lua_pushinteger(L, id);
  lua_rawset(L, -3);
}

/* A value as a handle, for what it stands for by now, and as the id that it
** had. */
static void set_value(lua_State *L, int fn, const ph_host *h, const char *field,
                      ph_value v) {
  if (!ph_some(v)) return;
  ph_handle_pushvalue(L, fn, ph_ir_now(h->f, v));
  lua_setfield(L, -2, field);
  set_id(L, field, v.id);
}

static void set_block(lua_State *L, int fn, const char *field, ph_block b) {
  if (!ph_some(b)) return;
  ph_handle_pushblock(L, fn, b);
  lua_setfield(L, -2, field);
}

static void push_event(lua_State *L, const ph_host *h, int fn, ph_event e) {
  lua_createtable(L, 0, 6);
  lua_pushstring(L, kinds[e.kind].name);
  lua_setfield(L, -2, "event");
  set_block(L, fn, "block", e.block);
  set_block(L, fn, "from", e.from);
  if (ph_some(e.var)) {
    ph_handle_pushvar(L, fn, e.var);
    lua_setfield(L, -2, "var");
  }
  set_value(L, fn, h, "value", e.value);
  if (kinds[e.kind].other != NULL)
    set_value(L, fn, h, kinds[e.kind].other, e.other);
  if (e.kind == PH_EV_OPERAND) {
    lua_pushinteger(L, (lua_Integer)e.index + 1);
    lua_setfield(L, -2, "index");
  }
}

/* Calls the function at `log` with an event; raises its error. */
static void tell(lua_State *L, ph_host *h, int fn, int log, ph_event e) {
  int status;
  lua_pushvalue(L, log);
  push_event(L, h, fn, e);
  h->calling = true;
  status = lua_pcall(L, 1, 0, 0);
  h->calling = false;
  h->L = L;
  if (status == LUA_OK) return;
  ph_event_clear(h->f);
  lua_error(L);
}

void ph_log_tell(lua_State *L, ph_host *h) {
  int top = lua_gettop(L);
  luaL_checkstack(L, 10, NULL);
  lua_getfield(L, LUA_REGISTRYINDEX, OWNERS);
  lua_rawgetp(L, -1, h);
  lua_getiuservalue(L, -1, PH_ITS_KEPT);
  lua_rawgeti(L, -1, PH_KEPT_LOG);
  for (uint32_t i = 0; i < ph_event_count(h->f); i++)
    tell(L, h, top + 2, top + 4, ph_event_at(h->f, i));
  ph_event_clear(h->f);
  lua_settop(L, top);
}
