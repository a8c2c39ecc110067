/* ruleset.c: sets of rules in Lua.
**
** Functions share sets and keep them alive.  The standard set is parsed when it
** is first needed, once for each Lua state, and never changes; phial.rules
** "int" makes a new set based on it.
*/
#include "binding/rules/ruleset.h"

#include <stdio.h>
#include <string.h>

#include "binding/args/dialect.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/memory.h"
#include "binding/state/method.h"

/*
** {== Memory =========================================================
*/

static void *retry_after_collection(pl_ruleset *r, void *p, size_t old,
                                    size_t n) {
  bool busy = r->collecting;
  r->collecting = true;
  lua_gc(r->L, LUA_GCCOLLECT);
  r->collecting = busy;
  p = pl_memory_piece(r->L, r->module, p, old, n);
  if (p == NULL) pl_memory_raise(r->L);
  return p;
}

static void *reallocate_for_set(void *ud, void *p, size_t old, size_t n) {
  pl_ruleset *r = ud;
  void *q = pl_memory_piece(r->L, r->module, p, p != NULL ? old : 0, n);
  return q == NULL && n > 0 ? retry_after_collection(r, p, old, n) : q;
}

int pl_ruleset_return(lua_State *L, pl_ruleset *r, int n) {
  size_t bytes = ph_ruleset_bytes(r->set), told = r->reported;
  if (bytes < told) r->reported = bytes;
  if (bytes > told + PL_MEMORY_GROWTH && lua_gc(L, LUA_GCISRUNNING)) {
    r->reported = bytes;
    pl_memory_step(L, bytes - told);
  }
  return n;
}

/* }== Access ========================================================= */

static pl_ruleset *test_set(lua_State *L, int arg) {
  return pl_userdata_test(L, arg, PL_KIND_RULES);
}

static bool is_closed(const pl_ruleset *r) {
  return r->closed || r->module->closed;
}

bool pl_ruleset_isopen(const pl_ruleset *r) {
  return r != NULL && !is_closed(r);
}

/* Pushes "the rules", with the name of the function that uses them, if any. */
static const char *push_name(lua_State *L, const pl_funcobj *h) {
  ph_str name = {"", 0};
  if (h != NULL) name = ph_func_name(h->f);
  if (name.n == 0) return lua_pushliteral(L, "the rules");
  lua_pushlstring(L, name.at, name.n);
  return lua_pushfstring(L, "the rules of function '%s'", lua_tostring(L, -1));
}

/* Lets r and its bases allocate in L; h: the function that uses them, or NULL.
*/
static void use_sets(lua_State *L, pl_ruleset *r, const pl_funcobj *h) {
  for (; r != NULL; r = r->base) {
    if (is_closed(r)) pl_error_calling(L, "%s are closed", push_name(L, h));
    if (r->collecting) pl_error_calling(L, "%s are busy", push_name(L, h));
    if (r->doing != NULL)
      pl_error_plain(L, "out of memory while %s rules", r->doing);
    r->L = L;
  }
}

void pl_ruleset_current(lua_State *L, pl_ruleset *r) { use_sets(L, r, NULL); }

void pl_ruleset_resume(lua_State *L, pl_ruleset *r) {
  for (; r != NULL; r = r->base) r->L = L;
}

void pl_ruleset_begin(lua_State *L, pl_funcobj *h, int fn) {
  if (h->rules == NULL) return;
  use_sets(L, h->rules, h);
  h->actions.fn = fn;
}

pl_ruleset *pl_ruleset_check(lua_State *L, int arg) {
  pl_ruleset *r = test_set(L, arg);
  if (r == NULL && arg == 1) pl_arg_badself(L, PL_KIND_RULES);
  if (r == NULL)
    pl_error_plainarg(L, arg, "phial.Rules expected, got %s",
                      pl_error_type(L, arg));
  pl_ruleset_current(L, r);
  return r;
}

static pl_ruleset *check_method(lua_State *L, int least, int most) {
  pl_ruleset *r = pl_ruleset_check(L, 1);
  int n = lua_gettop(L) - 1;
  if (n < least || n > most) pl_arg_count(L, least, most);
  return r;
}

/* The same of a method that changes the set: the standard one is every
** function's. */
static pl_ruleset *check_change(lua_State *L, int least, int most) {
  pl_ruleset *r = check_method(L, least, most);
  lua_getiuservalue(L, lua_upvalueindex(PL_UP_MODULE), PL_MODULE_STANDARD);
  if (lua_touserdata(L, -1) == r)
    pl_error_plain(L,
                   "calling '%s': the standard rules do not change: "
                   "phial.rules \"int\" makes a set that has them",
                   lua_tostring(L, lua_upvalueindex(PL_UP_NAME)));
  lua_pop(L, 1);
  return r;
}

static int l_gc(lua_State *L) {
  pl_ruleset *r = test_set(L, 1);
  if (r == NULL || is_closed(r) || r->collecting || r->calling > 0) return 0;
  r->L = L;
  r->closed = true;
  ph_strbuf_done(&r->buf);
  ph_ruleset_done(r->set);
  return 0;
}

static int l_tostring(lua_State *L) {
  const pl_ruleset *r = test_set(L, 1);
  if (r == NULL) pl_arg_badself(L, PL_KIND_RULES);
  if (is_closed(r) || r->doing != NULL)
    lua_pushfstring(L, "phial.Rules (%s)", is_closed(r) ? "closed" : "broken");
  else
    lua_pushfstring(L, "phial.Rules: %p", (const void *)r);
  return 1;
}

/* }== Making ========================================================= */

/* Pushes a new set, based on the one at stack index `at`, if not 0. */
static pl_ruleset *push_new(lua_State *L, int at) {
  pl_ruleset *r =
      lua_newuserdatauv(L, sizeof *r + ph_ruleset_size(), PL_ITS_HELD);
  memset(r, 0, sizeof *r);
  r->closed = true;
  r->module = pl_userdata_module(L);
  pl_userdata_setkind(L, PL_KIND_RULES);
  lua_newtable(L);
  lua_setiuservalue(L, -2, PL_ITS_CALLEES);
  lua_newtable(L);
  if (at != 0) {
    lua_pushvalue(L, at);
    lua_rawseti(L, -2, 1);
    r->base = lua_touserdata(L, at);
  }
  lua_setiuservalue(L, -2, PL_ITS_HELD);
  r->L = L;
  r->mem = (ph_mem){reallocate_for_set, r};
  r->buf.mem = &r->mem;
  r->set = (ph_ruleset *)(void *)(r + 1);
  ph_ruleset_blank(r->set, &r->mem);
  r->closed = false;
  r->doing = "making";
  ph_ruleset_init(r->set, r->base != NULL ? r->base->set : NULL);
  r->doing = NULL;
  return r;
}

void pl_ruleset_pushstandard(lua_State *L) {
  const ph_callback_names none = {0};
  const ph_str name = {"int", 3};
  pl_ruleset *r;
  ph_str text;
  bool done;
  if (lua_getiuservalue(L, lua_upvalueindex(PL_UP_MODULE),
                        PL_MODULE_STANDARD) != LUA_TNIL) {
    pl_ruleset_current(L, lua_touserdata(L, -1));
    return;
  }
  lua_pop(L, 1);
  r = push_new(L, 0);
  r->doing = "reading";
  ph_ruleset_builtin(&r->buf);
  lua_pushlstring(L, r->buf.at, r->buf.n);
  text.at = lua_tolstring(L, -1, &text.n);
  r->buf.n = 0;
  done = ph_ruleset_load(r->set, name, text, &none, &r->buf);
  lua_pop(L, 1);
  if (!done) pl_error_plain(L, "the standard rules are wrong");
  ph_strbuf_done(&r->buf);
  r->doing = NULL;
  lua_pushvalue(L, -1);
  lua_setiuservalue(L, lua_upvalueindex(PL_UP_MODULE), PL_MODULE_STANDARD);
}

/* }== Adding ========================================================= */

/* Functions behind $name: looked up in the user's table, stored in the list of
** the set. */
typedef struct {
  lua_State *L;
  pl_ruleset *r;
  /* Stack indices; 0: no table was given.  In `known`: the number of each
  ** function of the text. */
  int functions, list, known;
} callees;

static bool find_callee(void *ud, ph_str name, uint32_t *number) {
  callees *c = ud;
  if (c->functions == 0) return false;
  lua_pushlstring(c->L, name.at, name.n);
  if (lua_rawget(c->L, c->functions) != LUA_TFUNCTION) {
    lua_pop(c->L, 1);
    return false;
  }
  lua_pushvalue(c->L, -1); /* one function has one number */
  if (lua_rawget(c->L, c->known) != LUA_TNIL) {
    *number = (uint32_t)lua_tointeger(c->L, -1);
    lua_pop(c->L, 2);
    return true;
  }
  lua_pop(c->L, 1);
  *number = c->r->ncallees;
  lua_pushvalue(c->L, -1);
  lua_pushinteger(c->L, *number);
  lua_rawset(c->L, c->known);
  lua_rawseti(c->L, c->list, ++c->r->ncallees);
  return true;
}

/* The name of the text: the one given at `arg`, or "[file:line]" of the caller.
*/
static ph_str source_of(lua_State *L, int arg) {
  lua_Debug ar;
  if (!lua_isnoneornil(L, arg)) return pl_arg_str(L, arg);
  if (!pl_error_caller(L, &ar)) return (ph_str){"rules", 5};
  lua_pushfstring(L, "[%s:%d]", ar.short_src, ar.currentline);
  lua_replace(L, arg);
  return pl_arg_str(L, arg);
}

/* Adds the text at `arg`, followed by the table of functions and the name of
** the text; set: stack index of the set. */
static void add_text(lua_State *L, pl_ruleset *r, int set, int arg) {
  callees c = {L, r, 0, 0, 0};
  const ph_callback_names find = {.find = find_callee, .ud = &c};
  ph_str text = pl_arg_str(L, arg), source;
  uint32_t before = r->ncallees;
  bool done;
  if (lua_type(L, arg + 1) == LUA_TSTRING)
    pl_error_plainarg(L, arg + 1,
                      "table of functions expected, got a string; if it is the "
                      "second result of 'require', write (require ...)");
  if (!lua_isnoneornil(L, arg + 1)) pl_arg_table(L, c.functions = arg + 1);
  source = source_of(L, arg + 2);
  luaL_checkstack(L, 8, NULL);
  lua_getiuservalue(L, set, PL_ITS_CALLEES);
  lua_newtable(L);
  c.known = lua_gettop(L);
  c.list = c.known - 1;
  pl_ruleset_current(L, r);
  r->buf.n = 0;
  r->doing = "adding";
  done = ph_ruleset_load(r->set, source, text, &find, &r->buf);
  r->doing = NULL;
  if (!done) {
    r->ncallees = before;
    lua_pushlstring(L, r->buf.at, r->buf.n);
    ph_strbuf_done(&r->buf);
    pl_error_plaintop(L);
  }
  lua_pop(L, 2);
}

/* Counts of ops and types. */
typedef struct {
  uint32_t ops, types;
} counts;

/* Checks that the dialect can be attached to the set, and adds to n what it
** needs. */
static void check_dialect(lua_State *L, const pl_ruleset *r, int set,
                          const ph_dialect *d, counts *n) {
  const void *other;
  lua_getiuservalue(L, set, PL_ITS_HELD);
  lua_getfield(L, -1, d->name);
  other = lua_touserdata(L, -1);
  lua_pop(L, 2);
  if (other == d) return;
  if (other != NULL)
    pl_error_plain(L, "another dialect named '%s' is attached already",
                   d->name);
  pl_dialect_checkroom(L, d, r->nops + n->ops, r->ntypes + n->types);
  n->ops += d->nops;
  n->types += d->ntypes;
}

/* Attaches the dialect at `at` to the set. */
static void hold_dialect(lua_State *L, pl_ruleset *r, int set, int at,
                         const ph_dialect *d) {
  counts n = {0, 0};
  check_dialect(L, r, set, d, &n);
  lua_getiuservalue(L, set, PL_ITS_HELD);
  if (lua_getfield(L, -1, d->name) == LUA_TNIL) {
    lua_pushvalue(L, at);
    lua_setfield(L, -3, d->name);
    r->nops += n.ops;
    r->ntypes += n.types;
  }
  lua_pop(L, 2);
  pl_ruleset_current(L, r);
  r->doing = "attaching a dialect to";
  ph_op_attachdialect(ph_ruleset_space(r->set), d);
  r->doing = NULL;
}

void pl_ruleset_attach(lua_State *L, pl_funcobj *h, int fn, int at) {
  int list;
  lua_newtable(L);
  list = lua_gettop(L);
  lua_getiuservalue(L, at, PL_ITS_HELD);
  for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
    if (pl_dialect_test(L, lua_gettop(L)) != NULL) {
      lua_pushvalue(L, -1);
      lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
    }
  pl_dialect_attach_all(L, h, fn, list);
  lua_settop(L, list - 1);
}

/* Returns the set, which has changed. */
static int return_changed(lua_State *L, pl_ruleset *r) {
  r->warned = false;
  lua_settop(L, 1);
  return pl_ruleset_return(L, r, 1);
}

/* R:add(text[, functions[, name]]) */
static int l_add(lua_State *L) {
  pl_ruleset *r = check_change(L, 1, 3);
  pl_arg_str(L, 2);
  lua_settop(L, 4);
  add_text(L, r, 1, 2);
  return return_changed(L, r);
}

/* R:attach(dialect) */
static int l_attach(lua_State *L) {
  pl_ruleset *r = check_change(L, 1, 1);
  const ph_dialect *d = pl_dialect_test(L, 2);
  if (d == NULL)
    pl_error_plainarg(L, 2, "a dialect expected, got %s", pl_error_type(L, 2));
  hold_dialect(L, r, 1, 2, d);
  return return_changed(L, r);
}

/* Attaches the dialects of the set at `from` to the one at `set`: all, or none
** if one of them cannot be. */
static void hold_dialects_of(lua_State *L, pl_ruleset *r, int set, int from) {
  counts n = {0, 0};
  int held;
  lua_getiuservalue(L, from, PL_ITS_HELD);
  held = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, held) != 0; lua_pop(L, 1)) {
    const ph_dialect *d = pl_dialect_test(L, lua_gettop(L));
    if (d != NULL) check_dialect(L, r, set, d, &n);
  }
  for (lua_pushnil(L); lua_next(L, held) != 0; lua_pop(L, 1)) {
    const ph_dialect *d = pl_dialect_test(L, lua_gettop(L));
    if (d != NULL) hold_dialect(L, r, set, lua_gettop(L), d);
  }
  lua_pop(L, 1);
}

/* Gives the set at 1 the functions behind $name of the one at 2; returns, by the
** number that one has there, its number here. */
static uint32_t *take_callees(lua_State *L, pl_ruleset *r,
                              const pl_ruleset *from) {
  uint32_t *numbers =
      lua_newuserdatauv(L, (from->ncallees + 1) * sizeof *numbers, 0);
  int known, list;
  lua_newtable(L);
  lua_getiuservalue(L, 1, PL_ITS_CALLEES);
  lua_getiuservalue(L, 2, PL_ITS_CALLEES);
  list = lua_gettop(L) - 1;
  known = list - 1;
  for (uint32_t i = 1; i <= r->ncallees; i++) {
    lua_rawgeti(L, list, i);
    lua_pushinteger(L, i);
    lua_rawset(L, known);
  }
  for (uint32_t i = 1; i <= from->ncallees; i++) {
    lua_rawgeti(L, list + 1, i);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, known) == LUA_TNIL) {
      lua_pop(L, 1);
      lua_pushvalue(L, -1);
      lua_pushinteger(L, ++r->ncallees);
      lua_rawset(L, known);
      lua_pushvalue(L, -1);
      lua_rawseti(L, list, r->ncallees);
      lua_pushinteger(L, r->ncallees);
    }
    numbers[i - 1] = (uint32_t)lua_tointeger(L, -1) - 1;
    lua_settop(L, list + 1);
  }
  return numbers;
}

void pl_ruleset_holdall(lua_State *L, int set, int from) {
  pl_ruleset *r = lua_touserdata(L, set);
  hold_dialects_of(L, r, set, from);
  lua_getiuservalue(L, from, PL_ITS_HELD);
  lua_rawgeti(L, -1, 1);
  if (((pl_ruleset *)lua_touserdata(L, from))->base != NULL)
    hold_dialects_of(L, r, set, lua_gettop(L));
  lua_pop(L, 2);
}

/* R:include(S) */
static int l_include(lua_State *L) {
  pl_ruleset *r = check_change(L, 1, 1), *from = pl_ruleset_check(L, 2);
  uint32_t *numbers;
  if (r == from) pl_error_plainarg(L, 2, "a set cannot include itself");
  luaL_checkstack(L, 8, NULL);
  hold_dialects_of(L, r, 1, 2);
  numbers = take_callees(L, r, from);
  pl_ruleset_current(L, r);
  r->doing = "including";
  ph_ruleset_include(r->set, from->set, numbers);
  r->doing = NULL;
  return return_changed(L, r);
}

/* phial.rules([text[, functions[, name]]]) */
int pl_ruleset_new(lua_State *L) {
  pl_ruleset *r;
  bool standard;
  pl_access_checkmodule(L);
  pl_arg_count(L, 0, 3);
  lua_settop(L, 3);
  standard =
      lua_type(L, 1) == LUA_TSTRING && strcmp(lua_tostring(L, 1), "int") == 0;
  if (!lua_isnil(L, 1)) pl_arg_str(L, 1);
  if (standard) pl_ruleset_pushstandard(L);
  r = push_new(L, standard ? 4 : 0);
  if (standard)
    hold_dialects_of(L, r, 5, 4);
  else if (!lua_isnil(L, 1))
    add_text(L, r, 4, 1);
  lua_settop(L, standard ? 5 : 4);
  return pl_ruleset_return(L, r, 1);
}

/* }== By name ======================================================== */

void pl_ruleset_refusename(lua_State *L, int arg) {
  pl_error_plainarg(L, arg, "there is no rule '%s'", lua_tostring(L, arg));
}

/* R:remove(name) */
static int l_remove(lua_State *L) {
  pl_ruleset *r = check_change(L, 1, 1);
  if (ph_ruleset_remove(r->set, pl_arg_str(L, 2)) == 0)
    pl_ruleset_refusename(L, 2);
  return return_changed(L, r);
}

/* R:enable(name[, on]) */
static int l_enable(lua_State *L) {
  pl_ruleset *r = check_change(L, 1, 2);
  ph_str name = pl_arg_str(L, 2);
  bool on = lua_isnoneornil(L, 3) || lua_toboolean(L, 3);
  if (!lua_isnoneornil(L, 3) && !lua_isboolean(L, 3))
    pl_error_plainarg(L, 3, "boolean expected, got %s", pl_error_type(L, 3));
  if (ph_ruleset_enable(r->set, name, on) == 0) pl_ruleset_refusename(L, 2);
  return return_changed(L, r);
}

/* }== Names and texts ================================================ */

void pl_ruleset_say(ph_strbuf *b, const ph_ruleset *set, uint32_t rule) {
  ph_str name = ph_ruleset_name(set, rule);
  char line[24];
  ph_strbuf_puts(b, name.n > 0 ? "rule '" : "rule ");
  ph_strbuf_add(b, name);
  ph_strbuf_puts(b, name.n > 0 ? "' (" : "(");
  ph_strbuf_add(b, ph_ruleset_source(set, rule));
  snprintf(line, sizeof line, ":%d)", (int)ph_ruleset_line(set, rule));
  ph_strbuf_puts(b, line);
}

/* R:names(): the names of enabled rules, without duplicates, in their order. */
static int l_names(lua_State *L) {
  const pl_ruleset *r = check_method(L, 0, 0);
  uint32_t n = ph_ruleset_count(r->set);
  lua_Integer k = 0;
  lua_newtable(L);
  lua_newtable(L); /* set of the names so far */
  for (uint32_t i = 1; i <= n; i++) {
    ph_str name = {"", 0};
    if (!ph_ruleset_isremoved(r->set, i) && ph_ruleset_isenabled(r->set, i) &&
        ph_ruleset_name(r->set, i).n > 0)
      name = ph_ruleset_name(r->set, i);
    if (name.n == 0) continue;
    lua_pushlstring(L, name.at, name.n);
    lua_pushvalue(L, -1);
    if (lua_rawget(L, 3) == LUA_TNIL) {
      lua_pushvalue(L, -2);
      lua_pushboolean(L, true);
      lua_rawset(L, 3);
      lua_pushvalue(L, -2);
      lua_rawseti(L, 2, ++k);
    }
    lua_pop(L, 2);
  }
  lua_pop(L, 1);
  return 1;
}

/* Appends the text of rule n, if it is enabled, and not the `last` one: the rules
** of alternatives share theirs. */
static void append_text(pl_ruleset *r, uint32_t n, const char **last) {
  ph_str text = ph_ruleset_text(r->set, n);
  if (!ph_ruleset_isenabled(r->set, n) || text.at == *last) return;
  ph_strbuf_add(&r->buf, text);
  ph_strbuf_puts(&r->buf, "\n");
  *last = text.at;
}

static void append_named(lua_State *L, pl_ruleset *r, ph_str name,
                         const char **last) {
  uint32_t n = ph_ruleset_find(r->set, name);
  for (; n != 0; n = ph_ruleset_findnext(r->set, n)) append_text(r, n, last);
  if (r->buf.n == 0) pl_ruleset_refusename(L, 2);
}

/* R:text([name]): enabled rules as they were written, without duplicates */
static int l_text(lua_State *L) {
  pl_ruleset *r = check_method(L, 0, 1);
  const char *last = NULL;
  uint32_t n = ph_ruleset_count(r->set);
  ph_str name = {"", 0};
  if (!lua_isnoneornil(L, 2)) name = pl_arg_str(L, 2);
  r->buf.n = 0;
  if (name.n > 0) append_named(L, r, name, &last);
  for (uint32_t i = 1; i <= n && name.n == 0; i++) append_text(r, i, &last);
  lua_pushlstring(L, r->buf.n > 0 ? r->buf.at : "", r->buf.n);
  return pl_ruleset_return(L, r, 1);
}

/* }=================================================================== */

const pl_method pl_ruleset_methods[] = {
    {PL_OF_MODULE, "rules", pl_ruleset_new},
    {PL_OF_RULES, "add", l_add},
    {PL_OF_RULES, "attach", l_attach},
    {PL_OF_RULES, "include", l_include},
    {PL_OF_RULES, "remove", l_remove},
    {PL_OF_RULES, "enable", l_enable},
    {PL_OF_RULES, "names", l_names},
    {PL_OF_RULES, "text", l_text},
    {PL_OF_RULES, "__gc", l_gc},
    {PL_OF_RULES, "__tostring", l_tostring},
    {0},
};
