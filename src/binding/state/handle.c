/* handle.c: userdata for blocks, variables, values and accesses.
**
** A handle holds the function's address and an id; a user value keeps the
** function alive.  Handles are stored in weak tables; the function knows the
** slot of each id there, so while a handle is alive, the same one is pushed
** again.
*/
#include "binding/state/handle.h"

#include <string.h>

#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/memory.h"
#include "binding/state/message.h"
#include "binding/state/method.h"

/*
** {== Slots ==========================================================
**
** All functions share a weak table.  Its slots are given out in runs, which a
** function gives back when it is closed: so the table soon stops growing, stays
** an array, and a small function costs nothing in it.  Slots beyond SHARED are
** in a table of the function's own, which is freed with it.  Giving back a run
** erases nothing: a handle tells which function it is of.
*/

enum { RUN = 32, SHARED = 4096 }; /* slots of a run; of a function, there */
#define OWN 0x80000000u           /* a slot in the function's own table */

/* Finalizers may run in here, and take or give back runs. */
static void grow_runs(pl_funcobj *h, pl_slot_runs *r) {
  uint32_t room = r->room > 0 ? 2 * r->room : 64;
  uint32_t *next = pl_memory_shared(h, NULL, 0, room * sizeof *next);
  uint32_t *old = r->next, old_room = r->room;
  if (old_room >= room) {
    pl_memory_shared(h, next, room * sizeof *next, 0);
    return;
  }
  r->next = next;
  r->room = room;
  if (old == NULL) return;
  memcpy(next, old, old_room * sizeof *next);
  pl_memory_shared(h, old, old_room * sizeof *old, 0);
}

/* Returns a run of slots for h: one that another function gave back, or a new
** one. */
static uint32_t take_run(pl_funcobj *h) {
  pl_slot_runs *r = &h->module->runs;
  uint32_t run;
  while (r->spare == 0 && r->n + 1 >= r->room) grow_runs(h, r);
  run = r->spare;
  if (run != 0)
    r->spare = r->next[run];
  else
    run = ++r->n;
  r->next[run] = h->handles.run;
  h->handles.run = run;
  return run;
}

static uint32_t next_slot(pl_funcobj *h) {
  if (h->handles.n >= SHARED) return (++h->handles.n - SHARED) | OWN;
  if (h->handles.nleft == 0) {
    uint32_t run = take_run(h);
    h->handles.nleft = RUN;
    h->handles.slot = (run - 1) * RUN;
  }
  h->handles.nleft--;
  h->handles.n++;
  return ++h->handles.slot;
}

/* The same, but gives it a slot if it has none.  Slots are given out in the
** order of the handles' making: the table stays an array even if few values
** have a handle. */
static uint32_t claim_slot(pl_funcobj *h, int kind, uint32_t id) {
  pl_handle_slots *s = &h->handles.slots[kind - PL_KIND_BLOCK];
  uint32_t n = s->n > 0 ? s->n : 64;
  if (id >= s->n) {
    while (n <= id) n *= 2;
    s->at = pl_memory_own(h, s->at, s->n * sizeof *s->at, n * sizeof *s->at);
    memset(s->at + s->n, 0, (n - s->n) * sizeof *s->at);
    s->n = n;
  }
  if (s->at[id] == 0) s->at[id] = next_slot(h);
  return s->at[id];
}

void pl_handle_forget(pl_funcobj *h) {
  for (int i = 0; i < PL_HANDLE_KINDS; i++) {
    pl_handle_slots *s = &h->handles.slots[i];
    pl_memory_own(h, s->at, s->n * sizeof *s->at, 0);
    s->at = NULL;
    s->n = 0;
  }
  pl_slot_runs *r = &h->module->runs;
  uint32_t run = h->handles.run;
  while (run != 0) {
    uint32_t next = r->next[run];
    r->next[run] = r->spare;
    r->spare = run;
    run = next;
  }
  h->handles.run = 0;
  h->handles.nleft = 0;
}

/* }== Checking ======================================================= */

void pl_handle_refusegone(lua_State *L, pl_funcobj *h, ph_block b) {
  pl_error(L, h, "block '%b' is gone: it was dropped, since nothing reaches it",
           b);
}

ph_value pl_handle_value(lua_State *L, const pl_handle *me) {
  ph_value v = {me->id};
  if (ph_value_isdropped(me->owner->f, v))
    pl_error(L, me->owner, "value '%v' is gone: " PL_HANDLE_ERASED, v);
  return ph_value_resolve(me->owner->f, v);
}

/* What to do with a variable where a value belongs. */
static const char *hint_at_var(lua_State *L, const pl_handle *var) {
  const pl_funcobj *h = var->owner;
  uint32_t i = var->id - h->first_var;
  if (!pl_userdata_isusable(h) || h->first_var == 0 ||
      i >= ph_value_nparams(h->f))
    return ": read it first, by block:read(var)";
  return lua_pushfstring(L, ": its value is fn:arg(%d), or that of a read",
                         (int)i + 1);
}

/* The same for a value where a variable belongs. */
static const char *hint_at_value(lua_State *L, const pl_handle *value) {
  const pl_funcobj *h = value->owner;
  const ph_value v = {value->id};
  if (!pl_userdata_isusable(h)) return "";
  for (uint32_t i = 0; i < ph_value_nparams(h->f); i++)
    if (ph_same(v, ph_value_param(h->f, i)))
      return lua_pushfstring(L, ": its variable is fn:param(%d)", (int)i + 1);
  return "";
}

/* True of what fn:params() returns. */
static bool is_var_list(lua_State *L, const pl_funcobj *h, int at) {
  bool is;
  if (!lua_istable(L, at)) return false;
  lua_rawgeti(L, at, 1);
  is = pl_userdata_kind(L, h->module, lua_gettop(L), PL_KIND_VAR) != NULL;
  lua_pop(L, 1);
  return is;
}

const char *pl_handle_hint(lua_State *L, const pl_funcobj *h, int at,
                           int kind) {
  const pl_handle *var = pl_userdata_kind(L, h->module, at, PL_KIND_VAR);
  const pl_handle *value = pl_userdata_kind(L, h->module, at, PL_KIND_VALUE);
  if (kind == PL_KIND_VALUE && var != NULL) return hint_at_var(L, var);
  if (kind == PL_KIND_VAR && value != NULL) return hint_at_value(L, value);
  if (is_var_list(L, h, at))
    return ": the variable of one parameter is fn:param(i)";
  return "";
}

static bool same_text(ph_str a, ph_str b) {
  return a.n == b.n && memcmp(a.at, b.at, a.n) == 0;
}

/* True if it is known where both functions were made, and that is not the same
** line. */
static bool places_differ(const pl_funcobj *h, const pl_funcobj *other) {
  ph_srcloc a = h->places.made, b = other->places.made;
  if (a.line == 0 || b.line == 0) return false;
  return a.line != b.line || !same_text(ph_intern_string(h->f, a.file),
                                        ph_intern_string(other->f, b.file));
}

/* Adds "write of ...", "read of ...", "may-write of ..." or, without one
** variable, "may-write"; `var` is the format of the variable. */
static void say_access(lua_State *L, pl_funcobj *h, ph_access a,
                       const char *var) {
  ph_var of = ph_access_var(h->f, a);
  if (ph_access_ismaywrite(h->f, a)) pl_message_add(L, h, "may-");
  pl_message_add(L, h, ph_access_iswrite(h->f, a) ? "write" : "read");
  if (!ph_some(of)) return;
  pl_message_add(L, h, " of ");
  pl_message_add(L, h, var, of);
}

/* Describes the handle at `at`, of `owner`, in that function's buffer. */
static void describe_handle(lua_State *L, pl_funcobj *owner, int at, int kind) {
  const pl_handle *it = lua_touserdata(L, at);
  owner->L = L;
  owner->buf.n = 0;
  if (kind == PL_KIND_BLOCK)
    pl_message_add(L, owner, "block '%b'", (ph_block){it->id});
  else if (kind == PL_KIND_VAR)
    pl_message_add(L, owner, "variable '%x'", (ph_var){it->id});
  else if (kind == PL_KIND_ACCESS)
    say_access(L, owner, (ph_access){it->id}, "'%x'");
  else if (ph_value_type(owner->f, (ph_value){it->id}) == PH_NOTYPE)
    pl_message_add(L, owner, "instruction '%v'", (ph_value){it->id});
  else
    pl_message_add(L, owner, "%g", at);
}

/* An error about a handle of another function: names it and both functions, by
** where they were made if their names are equal. */
static void refuse_foreign(lua_State *L, pl_funcobj *h, int at, int arg,
                           int kind) {
  pl_funcobj *owner = ((const pl_handle *)lua_touserdata(L, at))->owner;
  bool alike, told;
  if (pl_userdata_isclosed(owner))
    pl_error_arg(L, h, arg, "it belongs to function '%s', which is closed",
                 owner->source_name);
  if (!pl_userdata_isusable(owner))
    pl_error_arg(L, h, arg, "it belongs to another function");
  alike = same_text(ph_func_name(h->f), ph_func_name(owner->f));
  told = places_differ(h, owner);
  describe_handle(L, owner, at, kind);
  pl_message_add(L, owner,
                 alike && !told ? " belongs to another function '%f'"
                                : " belongs to function '%f'");
  if (alike && told) pl_message_add(L, owner, "%p", owner->places.made);
  pl_error_arg(L, h, arg,
               !alike  ? "%S, not to '%f'"
               : !told ? "%S"
                       : "%S, not to '%f'%p",
               (ph_str){owner->buf.at, owner->buf.n}, h->places.made);
}

static const pl_handle *check_arg(lua_State *L, pl_funcobj *h, int at, int arg,
                                  int kind) {
  const pl_handle *a = pl_userdata_kind(L, h->module, at, kind);
  if (a == NULL)
    pl_error_arg(L, h, arg, "%s expected, got %g%s", pl_userdata_names[kind],
                 at, pl_handle_hint(L, h, at, kind));
  else if (a->owner != h)
    refuse_foreign(L, h, at, arg, kind);
  return a;
}

ph_block pl_handle_anyblock(lua_State *L, pl_funcobj *h, int arg) {
  return (ph_block){check_arg(L, h, arg, arg, PL_KIND_BLOCK)->id};
}

ph_block pl_handle_blockat(lua_State *L, pl_funcobj *h, int at, int arg) {
  ph_block b = {check_arg(L, h, at, arg, PL_KIND_BLOCK)->id};
  if (ph_block_isremoved(h->f, b))
    pl_error_arg(L, h, arg, "block '%b' is gone: it was dropped", b);
  return b;
}

ph_value pl_handle_valueat(lua_State *L, pl_funcobj *h, int at, int arg) {
  ph_value v = {check_arg(L, h, at, arg, PL_KIND_VALUE)->id};
  if (ph_value_isdropped(h->f, v))
    pl_error_arg(L, h, arg, "value '%v' is gone: " PL_HANDLE_ERASED, v);
  return ph_value_resolve(h->f, v);
}

void pl_handle_checkitem(lua_State *L, pl_funcobj *h, int arg, int at, int kind,
                         const char *what, uint32_t i) {
  if (pl_userdata_kind(L, h->module, at, kind) == NULL)
    pl_error_arg(L, h, arg, "%s %d: %s expected, got %g", what, (int)i,
                 pl_userdata_names[kind], at);
}

ph_var pl_handle_listvar(lua_State *L, pl_funcobj *h, int arg, int list,
                         const char *what, uint32_t i) {
  ph_var var;
  int at = lua_gettop(L) + 1;
  lua_rawgeti(L, list, (lua_Integer)i);
  pl_handle_checkitem(L, h, arg, at, PL_KIND_VAR, what, i);
  var.id = check_arg(L, h, at, arg, PL_KIND_VAR)->id;
  lua_pop(L, 1);
  return var;
}

ph_block pl_handle_argblock(lua_State *L, pl_funcobj *h, int arg) {
  const pl_handle *a = pl_userdata_ownkind(L, h, arg, PL_KIND_BLOCK);
  ph_block b = {a != NULL ? a->id : 0};
  if (a != NULL && !ph_block_isremoved(h->f, b)) return b;
  return pl_handle_blockat(L, h, arg, arg); /* tells what is wrong */
}

ph_value pl_handle_argvalue(lua_State *L, pl_funcobj *h, int arg) {
  return pl_handle_valueat(L, h, arg, arg);
}

ph_access pl_handle_accessat(lua_State *L, pl_funcobj *h, int at, int arg) {
  return (ph_access){check_arg(L, h, at, arg, PL_KIND_ACCESS)->id};
}

ph_var pl_handle_checkvar(lua_State *L, pl_funcobj *h, int arg) {
  return (ph_var){check_arg(L, h, arg, arg, PL_KIND_VAR)->id};
}

/* }== Making ========================================================= */

int pl_handle_pushowner(lua_State *L, int arg) {
  lua_getiuservalue(L, arg, 1);
  return lua_gettop(L);
}

/* Pushes the function at fn, or that of argument 1. */
static void push_function(lua_State *L, int fn) {
  if (fn != 0)
    lua_pushvalue(L, fn);
  else
    lua_getiuservalue(L, 1, 1);
}

static inline pl_handle *new_handle(lua_State *L, pl_funcobj *h, int fn,
                                    int kind, uint32_t tag) {
  pl_handle *it = lua_newuserdatauv(L, sizeof *it, 1);
  it->owner = h;
  it->id = 0;
  it->tag = tag;
  pl_userdata_setkind(L, kind);
  push_function(L, fn);
  lua_setiuservalue(L, -2, 1);
  return it;
}

pl_handle *pl_handle_new(lua_State *L, pl_funcobj *h, int fn, int kind) {
  return new_handle(L, h, fn, kind, 0);
}

pl_handle *pl_handle_prepare(lua_State *L, pl_funcobj *h, int fn, int kind) {
  if (++h->handles.nprepared >= SHARED && !h->handles.own_table) {
    push_function(L, fn);
    lua_newtable(L);
    lua_getmetatable(L, lua_upvalueindex(PL_UP_HANDLES)); /* weak */
    lua_setmetatable(L, -2);
    if (h->handles.own_table)
      lua_pop(L, 1);
    else
      lua_setiuservalue(L, -2, PL_ITS_HANDLES);
    lua_pop(L, 1);
    h->handles.own_table = true;
  }
  return new_handle(L, h, fn, kind, pl_userdata_tag(h, kind));
}

void pl_handle_settle(lua_State *L, pl_handle *it, int kind, int at,
                      uint32_t id) {
  pl_funcobj *h = it->owner;
  uint32_t slot;
  it->id = id;
  if (pl_userdata_isclosed(h)) return; /* by a finalizer */
  h->L = L; /* a finalizer may have used another one */
  slot = claim_slot(h, kind, id);
  lua_pushvalue(L, at);
  if (slot & OWN) {
    lua_getiuservalue(L, -1, 1);
    lua_getiuservalue(L, -1, PL_ITS_HANDLES);
    lua_pushvalue(L, -3);
    lua_rawseti(L, -2, slot & ~OWN);
    lua_pop(L, 3);
  } else {
    lua_rawseti(L, lua_upvalueindex(PL_UP_HANDLES), slot);
  }
}

/* Pushes the handle if one exists; false if not.  The slot may still hold that
** of a closed function. */
static bool push_known(lua_State *L, const pl_funcobj *h, int fn, int kind,
                       uint32_t id) {
  const pl_handle_slots *s = &h->handles.slots[kind - PL_KIND_BLOCK];
  uint32_t slot = id < s->n ? s->at[id] : 0;
  int type;
  if (slot == 0) return false;
  if (slot & OWN) {
    push_function(L, fn);
    lua_getiuservalue(L, -1, PL_ITS_HANDLES);
    lua_replace(L, -2);
    lua_rawgeti(L, -1, slot & ~OWN);
    lua_replace(L, -2);
    type = lua_type(L, -1);
  } else {
    type = lua_rawgeti(L, lua_upvalueindex(PL_UP_HANDLES), slot);
  }
  if (type != LUA_TNIL &&
      ((const pl_handle *)lua_touserdata(L, -1))->owner == h)
    return true;
  lua_pop(L, 1);
  return false;
}

void pl_handle_find(lua_State *L, const pl_funcobj *h, int kind, uint32_t id) {
  if (!push_known(L, h, 0, kind, id)) lua_pushnil(L);
}

void pl_handle_found(lua_State *L, pl_handle *it, int kind, int at,
                     uint32_t id) {
  bool has;
  lua_getiuservalue(L, at, 1);
  has = push_known(L, it->owner, lua_gettop(L), kind, id);
  if (has) lua_replace(L, at);
  lua_pop(L, 1);
  if (!has) pl_handle_settle(L, it, kind, at, id);
}

void pl_handle_give(lua_State *L, pl_funcobj *h, int fn, int kind,
                    uint32_t id) {
  uint32_t before = h->handles.nprepared;
  pl_handle *it;
  if (id == 0) lua_pushnil(L);
  if (id == 0 || push_known(L, h, fn, kind, id)) return;
  it = pl_handle_prepare(L, h, fn, kind);
  if (h->handles.nprepared == before + 1 || !push_known(L, h, fn, kind, id))
    pl_handle_settle(L, it, kind, -1, id);
  else
    lua_replace(L, -2); /* a finalizer has asked for it meanwhile */
}

static void push_handle(lua_State *L, int fn, int kind, uint32_t id) {
  pl_handle_give(L, lua_touserdata(L, fn), fn, kind, id);
}

void pl_handle_pushblock(lua_State *L, int fn, ph_block b) {
  push_handle(L, fn, PL_KIND_BLOCK, b.id);
}

void pl_handle_pushvar(lua_State *L, int fn, ph_var var) {
  push_handle(L, fn, PL_KIND_VAR, var.id);
}

void pl_handle_pushvalue(lua_State *L, int fn, ph_value v) {
  push_handle(L, fn, PL_KIND_VALUE, v.id);
}

/* }== Lists ========================================================== */

int pl_handle_byid(const void *p, const void *q) {
  const uint32_t *a = p, *b = q;
  return (*a > *b) - (*a < *b);
}

void pl_handle_start(pl_funcobj *h) { h->buf.n = 0; }

void pl_handle_gather(pl_funcobj *h, uint32_t id) {
  ph_strbuf_add(&h->buf, (ph_str){(const char *)&id, sizeof id});
}

const char *pl_handle_pushids(lua_State *L, pl_funcobj *h, int fn, int kind,
                              const char *at, uint32_t n) {
  lua_createtable(L, (int)n, 0);
  for (uint32_t i = 1; i <= n; i++, at += sizeof(uint32_t)) {
    uint32_t id;
    memcpy(&id, at, sizeof id);
    pl_handle_give(L, h, fn, kind, id);
    lua_rawseti(L, -2, i);
  }
  return at;
}

void pl_handle_pushlist(lua_State *L, pl_funcobj *h, int fn, int kind) {
  uint32_t n = (uint32_t)(h->buf.n / sizeof(uint32_t));
  pl_handle_pushids(L, h, fn, kind, lua_pushlstring(L, h->buf.at, h->buf.n), n);
  lua_remove(L, -2);
}

/* }== Metamethods ==================================================== */

/* The name of what the handle refers to, or only its kind once the function is
** unusable. */
static int to_string(lua_State *L, int kind, const char *what) {
  pl_handle *me = pl_arg_self(L, kind);
  pl_funcobj *h = me->owner;
  if (!pl_userdata_isusable(h)) return pl_userdata_pushunusable(L, h, kind);
  h->L = L;
  h->buf.n = 0;
  if (kind == PL_KIND_VAR)
    pl_message_add(L, h, what, (ph_var){me->id});
  else if (kind == PL_KIND_BLOCK)
    pl_message_add(L, h, what, (ph_block){me->id});
  else if (kind == PL_KIND_ACCESS)
    say_access(L, h, (ph_access){me->id}, what);
  else
    pl_message_add(L, h, what, (ph_value){me->id});
  lua_pushlstring(L, h->buf.at, h->buf.n);
  return 1;
}

static int l_blockstring(lua_State *L) {
  return to_string(L, PL_KIND_BLOCK, "%b");
}

static int l_varstring(lua_State *L) { return to_string(L, PL_KIND_VAR, "%x"); }

static int l_valuestring(lua_State *L) {
  return to_string(L, PL_KIND_VALUE, "%v");
}

static int l_accessstring(lua_State *L) {
  return to_string(L, PL_KIND_ACCESS, "%x");
}

/* Handles are equal if their values are the same one by now. */
static int l_equal(lua_State *L) {
  const pl_handle *a = pl_userdata_test(L, 1, PL_KIND_VALUE);
  const pl_handle *b = pl_userdata_test(L, 2, PL_KIND_VALUE);
  bool same = a != NULL && b != NULL && a->owner == b->owner;
  if (same && a->id != b->id)
    same = !pl_userdata_isclosed(a->owner) && !a->owner->now.collecting &&
           ph_same(ph_value_resolve(a->owner->f, (ph_value){a->id}),
                   ph_value_resolve(b->owner->f, (ph_value){b->id}));
  lua_pushboolean(L, same);
  return 1;
}

static bool is_float(lua_State *L, int arg) {
  const pl_handle *v = pl_userdata_test(L, arg, PL_KIND_VALUE);
  const pl_handle *var = pl_userdata_test(L, arg, PL_KIND_VAR);
  if (v != NULL && !pl_userdata_isclosed(v->owner))
    return ph_type_isfloat(ph_value_type(v->owner->f, (ph_value){v->id}));
  return var != NULL && !pl_userdata_isclosed(var->owner) &&
         ph_type_isfloat(ph_var_type(var->owner->f, (ph_var){var->id}));
}

/* Lua swaps the operands of '>', and does not tell. */
static int l_order(lua_State *L) {
  const char *name = lua_tostring(L, lua_upvalueindex(PL_UP_NAME));
  const char *kind = is_float(L, 1) || is_float(L, 2) ? "f" : "s";
  const char *end = name[3] == 'e' ? "e" : "t",
             *sign = name[3] == 'e' ? "=" : "";
  return pl_error_plain(L,
                        "values have no order in Lua, it would make a boolean "
                        "of the result: use v:%sl%s(w) for '<%s', v:%sg%s(w) "
                        "for '>%s'",
                        kind, end, sign, kind, end, sign);
}

/* }=================================================================== */

const pl_method pl_handle_methods[] = {
    {PL_OF_BLOCK, "__tostring", l_blockstring},
    {PL_OF_VAR, "__tostring", l_varstring},
    {PL_OF_VALUE, "__tostring", l_valuestring},
    {PL_OF_ACCESS, "__tostring", l_accessstring},
    {PL_OF_VALUE, "__eq", l_equal},
    {PL_OF_VALUE | PL_OF_VAR, "__lt", l_order},
    {PL_OF_VALUE | PL_OF_VAR, "__le", l_order},
    {0},
};
