/* solution.c: the userdata phial.Solution: the facts of values, while fn:solve
** finds them and afterwards.
*/
#include "binding/analysis/solution.h"

#include <string.h>

#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Making =========================================================
*/

static size_t aligned_size(size_t bytes) {
  const size_t unit = 16;
  return (bytes + unit - 1) / unit * unit;
}

static void check_finished(lua_State *L, pl_funcobj *h) {
  pl_access_read(L, h);
  if (!ph_finish_isdone(h->f))
    pl_error(L, h,
             "function '%f' is not finished: it can be solved after "
             "fn:finish()");
}

pl_solution *pl_solution_push(lua_State *L, pl_funcobj *h, int fn,
                              ph_direction direction) {
  size_t head = aligned_size(sizeof(pl_solution)), body, counts;
  uint32_t version;
  char *memory;
  pl_solution *s;
  check_finished(L, h);
  version = ph_func_version(h->f);
  body = aligned_size(ph_solver_size(h->f));
  counts = (ph_value_count(h->f) + (size_t)1) * sizeof(uint32_t);
  memory = lua_newuserdatauv(L, head + body + counts, PL_SOLUTION_USERVALUES);
  lua_pushvalue(L, fn);
  lua_setiuservalue(L, -2, PL_SOLUTION_OWNER);
  check_finished(L, h);
  if (ph_func_version(h->f) != version)
    pl_error(L, h, "a finalizer has changed function '%f'");
  s = memset(memory, 0, sizeof *s);
  s->owner = h;
  s->version = version;
  s->solver = ph_solver_init(h->f, memory + head, direction);
  s->changes = memset(memory + head + body, 0, counts);
  pl_userdata_setkind(L, PL_KIND_SOLUTION);
  return s;
}

/* }== Facts ========================================================== */

/* Pushes the fact of v; at: index of the solution. */
static void push_fact(lua_State *L, int at, ph_value v) {
  lua_getiuservalue(L, at, PL_SOLUTION_FACTS);
  if (lua_rawgeti(L, -1, v.id) == LUA_TNIL)
    lua_getiuservalue(L, at, PL_SOLUTION_BOTTOM);
}

/* Upvalue of l_fact. */
enum { UP_THIS = PL_UP_NAME + 1 };

/* Notes that the current value depends on v. */
static void link_current(lua_State *L, pl_solution *s, ph_value v) {
  s->linked = true;
  if (lua_getiuservalue(L, lua_upvalueindex(UP_THIS), PL_SOLUTION_LINKS) ==
      LUA_TNIL) {
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_setiuservalue(L, lua_upvalueindex(UP_THIS), PL_SOLUTION_LINKS);
  }
  if (lua_rawgeti(L, -1, v.id) == LUA_TNIL) {
    lua_pop(L, 1);
    lua_newtable(L);
    lua_pushvalue(L, -1);
    lua_rawseti(L, -3, v.id);
  }
  lua_pushboolean(L, true);
  lua_rawseti(L, -2, s->current.id);
}

/* True if v is one of the first operands of the current value.  (A link to a
** further one does no harm.) */
static bool is_near(const pl_solution *s, ph_value v) {
  enum { NEAR = 4 };
  const ph_func *f = s->owner->f;
  uint32_t n = ph_value_nargs(f, s->current);
  for (uint32_t i = 0; i < n && i < NEAR; i++)
    if (ph_same(ph_value_arg(f, s->current, i), v)) return true;
  return ph_same(s->current, v);
}

/* fact(value), fact(i): the fact of a value, or of operand i of the one that is
** evaluated. */
static int l_fact(lua_State *L) {
  pl_solution *s = lua_touserdata(L, lua_upvalueindex(UP_THIS));
  pl_funcobj *h = s->owner;
  ph_value v;
  pl_access_read(L, h);
  pl_arg_count(L, 1, 1);
  if (!ph_some(s->current) || ph_func_version(h->f) != s->version)
    pl_error_plain(L,
                   "only the function that fn:solve calls with it can call "
                   "'fact', and only then: afterwards, use solution:fact(v)");
  if (lua_isinteger(L, 1)) {
    lua_Integer i = pl_arg_int(L, 1, 1, ph_value_nargs(h->f, s->current));
    v = ph_value_arg(h->f, s->current, (uint32_t)i - 1);
  } else {
    v = pl_handle_argvalue(L, h, 1);
  }
  /* before what can run finalizers, which may close the function */
  if (s->chooses) ph_solver_need(s->solver, v);
  if (!lua_isinteger(L, 1) && !is_near(s, v)) link_current(L, s, v);
  push_fact(L, lua_upvalueindex(UP_THIS), v);
  return 1;
}

void pl_solution_pushfact(lua_State *L, int at) {
  lua_pushvalue(L, at);
  pl_userdata_pushfunction(L, l_fact, "phial.fact", 1);
}

void pl_solution_revisit(lua_State *L, int at, ph_value v) {
  const pl_solution *s = lua_touserdata(L, at);
  int top = lua_gettop(L);
  if (!s->linked) return;
  lua_getiuservalue(L, at, PL_SOLUTION_LINKS);
  if (lua_rawgeti(L, -1, v.id) != LUA_TNIL) {
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1))
      ph_solver_revisit(s->solver, (ph_value){(uint32_t)lua_tointeger(L, -2)});
  }
  lua_settop(L, top);
}

/* }== Answers ======================================================== */

/* Self, of a method with `least` to `most` arguments. */
static pl_solution *unchanged_self(lua_State *L, int least, int most) {
  pl_solution *s = pl_arg_method(L, PL_KIND_SOLUTION, least, most);
  pl_access_read(L, s->owner);
  if (s->version != ph_func_version(s->owner->f))
    pl_error(L, s->owner,
             "function '%f' has changed since fn:solve(): call it again");
  return s;
}

/* s:fact(value) */
static int l_factof(lua_State *L) {
  const pl_solution *s = unchanged_self(L, 1, 1);
  ph_value v = pl_handle_argvalue(L, s->owner, 2);
  if (!ph_solver_isneeded(s->solver, v))
    pl_error_arg(L, s->owner, 2,
                 "'%i' has no fact: the option 'values' did not need it", v);
  push_fact(L, 1, v);
  return 1;
}

/* True if an edge from argument 2 to argument 3 is taken: that which argument 4
** says, or any of them. */
static bool is_taken(lua_State *L, pl_solution *s) {
  uint32_t nth, n = pl_between_take(L, s->owner, &s->edges, &nth);
  uint32_t first = nth != 0 ? nth : 1, last = nth != 0 ? nth : n;
  for (uint32_t i = first; i <= last; i++)
    if (ph_solver_istaken(s->solver, pl_between_nth(&s->edges, s->owner->f, i)))
      return true;
  return false;
}

/* s:is_taken(block), s:is_taken(from, to[, nth]) */
static int l_is_taken(lua_State *L) {
  pl_solution *s = unchanged_self(L, 1, 3);
  if (lua_isnoneornil(L, 3))
    lua_pushboolean(
        L, ph_solver_isreached(s->solver, pl_handle_argblock(L, s->owner, 2)));
  else
    lua_pushboolean(L, is_taken(L, s));
  return 1;
}

/* }=================================================================== */

const pl_method pl_solution_methods[] = {
    {PL_OF_SOLUTION, "fact", l_factof},
    {PL_OF_SOLUTION, "is_taken", l_is_taken},
    {0},
};
