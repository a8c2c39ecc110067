/* solve.c: fn:solve{...}: sparse data-flow analysis.
**
** The core says what to evaluate next (core/solve); the facts are Lua values in
** a table, which callbacks make.  Callbacks are called without protection: the
** core has returned, so an error may jump, and its traceback is whole.  (Not in
** a coroutine, where they may try to yield.)  An error leaves
** nothing locked: if a callback has changed the function, the call ends with an
** error.
**
** A fact only ascends: a new one is joined with the one before.  So a sloppy
** transfer function costs precision, not termination.
*/
#include <string.h>

#include "binding/analysis/solution.h"
#include "binding/args/dialect.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/funcobj.h"
#include "binding/state/handle.h"
#include "binding/state/message.h"
#include "binding/state/method.h"

/* Indices of the stack: the arguments of fn:solve; the options, TRANSFER as a
** table of functions by the number of the op; the solution with its table of
** facts and the function `fact`. */
enum {
  FN = 1,
  OPTIONS,
  BOTTOM,
  JOIN,
  EDGE,
  EQUAL,
  WIDEN,
  TRANSFER,
  DEFAULT,
  SOLUTION,
  FACTS,
  FACT,
  TOP = FACT
};

/* How often a fact may change, unless the option `limit` says otherwise. */
static const lua_Integer LIMIT = 1000;

/* A phi whose fact goes on changing is widened at the limit; any other value,
** and a phi that widening does not stop, may change so many times more. */
enum { SLACK = 1000 };

typedef struct {
  ph_direction direction;
  lua_Integer limit; /* how often a fact may change */
} problem;

typedef struct {
  lua_State *L;
  pl_funcobj *h;
  pl_solution *s;
  problem problem;
  const char *calling; /* the option, while it is called */
} solving;

/*
** {== Options ========================================================
*/

/* Pushes an option, a function or nil. */
static void push_callback(lua_State *L, const char *name, bool optional) {
  int type = pl_arg_field(L, OPTIONS, name);
  if (type != LUA_TFUNCTION && (type != LUA_TNIL || !optional))
    pl_error_plainarg(L, OPTIONS, "option '%s': a function expected, got %s",
                      name, pl_error_type(L, -1));
}

/* True if the function has the dialect that is named before the dot. */
static bool has_dialect(lua_State *L, ph_str name) {
  const char *dot = memchr(name.at, '.', name.n);
  bool has;
  if (dot == NULL) return true; /* phial itself */
  name.n = (size_t)(dot - name.at);
  has = pl_funcobj_pushdialect(L, FN, name) != LUA_TNIL;
  lua_pop(L, 1);
  return has;
}

/* Pushes the name of the op that the key below the top is, or names. */
static ph_str push_op_name(lua_State *L) {
  const pl_ophandle *o = pl_userdata_test(L, -2, PL_KIND_OP);
  ph_str name;
  if (o != NULL)
    lua_pushfstring(L, "%s.%s", o->dialect->name,
                    o->dialect->ops[o->index].name);
  else if (lua_type(L, -2) == LUA_TSTRING)
    lua_pushvalue(L, -2);
  else
    pl_error_plainarg(L, OPTIONS,
                      "option 'transfer': a key is not the name of an op");
  name.at = lua_tolstring(L, -1, &name.n);
  return name;
}

/* Returns the op of the key below the top; PH_NONE if it is of a dialect that
** the function does not have. */
static ph_op op_of_key(lua_State *L, pl_funcobj *h) {
  ph_str name = push_op_name(L);
  ph_op op;
  pl_access_read(L, h);
  if (!ph_op_find(h->f, name, &op)) {
    op = PH_NONE;
    if (has_dialect(L, name)) {
      pl_access_again(L, h);
      pl_error_arg(L, h, OPTIONS, "option 'transfer': unknown op '%S'%s", name,
                   pl_arg_meantop(L, h, name));
    }
  }
  if (op == PH_PHI)
    pl_error_plainarg(L, OPTIONS,
                      "option 'transfer': phis have no function: the fact of "
                      "a phi is the join of its operands'");
  lua_pop(L, 1);
  return op;
}

static bool is_default(lua_State *L, int at) {
  return lua_type(L, at) == LUA_TSTRING &&
         strcmp(lua_tostring(L, at), "default") == 0;
}

/* Pushes the functions of the option `transfer` by op, and the default. */
static void push_transfer(lua_State *L, pl_funcobj *h) {
  int given = lua_gettop(L) + 1, table = given + 1, usual = given + 2;
  if (pl_arg_field(L, OPTIONS, "transfer") != LUA_TTABLE)
    pl_error_plainarg(L, OPTIONS,
                      "option 'transfer': a table of functions by op expected, "
                      "got %s",
                      pl_error_type(L, -1));
  lua_createtable(L, PH_KNOWN_OPS, PH_KNOWN_OPS); /* those of dialects */
  lua_pushnil(L);
  for (lua_pushnil(L); lua_next(L, given) != 0;) {
    ph_op op = PH_NONE;
    const char *got = lua_isfunction(L, -1) ? "" : pl_error_type(L, -1);
    if (lua_type(L, -1) != LUA_TFUNCTION)
      pl_error_plainarg(L, OPTIONS,
                        "option 'transfer': '%s': a function expected, got %s",
                        pl_error_tostring(L, usual + 1), got);
    if (is_default(L, -2))
      lua_copy(L, -1, usual);
    else
      op = op_of_key(L, h);
    if (op == PH_NONE)
      lua_pop(L, 1);
    else
      lua_rawseti(L, table, op);
  }
  lua_remove(L, given);
}

/* Checks the options and pushes those that callbacks use. */
static problem take_problem(lua_State *L, pl_funcobj *h) {
  static const char *const known[] = {"bottom",    "join",  "transfer",
                                      "edge",      "equal", "widen",
                                      "direction", "limit", "values"};
  static const char *const directions[] = {"forward", "backward"};
  problem p;
  pl_arg_table(L, OPTIONS);
  pl_arg_fields(L, OPTIONS, known, 9);
  p.direction =
      (ph_direction)pl_arg_choice(L, OPTIONS, "direction", directions, 2);
  p.limit = LIMIT;
  int is_integer = 1;
  if (pl_arg_field(L, OPTIONS, "limit") != LUA_TNIL)
    p.limit = lua_tointegerx(L, -1, &is_integer);
  if (!is_integer || lua_type(L, -1) == LUA_TSTRING || p.limit < 1)
    pl_error_plainarg(L, OPTIONS,
                      "option 'limit': a positive integer expected");
  lua_pop(L, 1);
  if (pl_arg_field(L, OPTIONS, "bottom") == LUA_TNIL)
    pl_error_plainarg(L, OPTIONS,
                      "option 'bottom': a fact expected: that of a value that "
                      "is never computed");
  push_callback(L, "join", false);
  push_callback(L, "edge", true);
  push_callback(L, "equal", true);
  push_callback(L, "widen", true);
  push_transfer(L, h);
  return p;
}

/* }== Callbacks ====================================================== */

/* To be called after all that can run code of the user, finalizers included. */
static void check_unchanged(solving *it) {
  pl_access_read(it->L, it->h);
  if (ph_func_version(it->h->f) != it->s->version)
    pl_error(it->L, it->h,
             "function '%f' was changed by a callback of fn:solve, which may "
             "only read it");
}

/* Tells the solver of the values whose facts are needed, if that is not all. */
static void take_values(lua_State *L, solving *it) {
  int at = lua_gettop(L) + 1;
  lua_Integer n;
  if (pl_arg_field(L, OPTIONS, "values") != LUA_TNIL) {
    if (it->problem.direction != PH_FORWARD)
      pl_error_plainarg(L, OPTIONS,
                        "option 'values': facts flow backward, to operands: "
                        "those of all values are needed");
    n = pl_arg_list(L, OPTIONS, at, "option 'values'");
    check_unchanged(it); /* finalizers can have run */
    it->s->chooses = true;
    ph_solver_need(it->s->solver, (ph_value){0});
    for (lua_Integer i = 1; i <= n; i++) {
      lua_rawgeti(L, at, i);
      pl_handle_checkitem(L, it->h, OPTIONS, at + 1, PL_KIND_VALUE,
                          "option 'values': element", (uint32_t)i);
      ph_solver_need(it->s->solver,
                     pl_handle_valueat(L, it->h, at + 1, OPTIONS));
      lua_pop(L, 1);
    }
  }
  lua_settop(L, at - 1);
}

/* Calls the function below n arguments, which the option is or has, about
** `about`. */
static void call_option(solving *it, const char *option, ph_value about, int n,
                        int nresults) {
  it->s->current = about;
  it->calling = option;
  lua_call(it->L, n, nresults);
  it->calling = NULL;
  it->s->current.id = 0;
  check_unchanged(it);
}

/* Refuses nil as a fact of v, on top. */
static void check_fact(solving *it, ph_value v, const char *from) {
  if (lua_isnil(it->L, -1))
    pl_error(it->L, it->h,
             "option '%s' returned nil for '%i'%l: a fact expected", from, v,
             ph_value_loc(it->h->f, v));
}

static bool facts_equal(solving *it, int a, int b) {
  const ph_value nothing = {0};
  bool same;
  lua_State *L = it->L;
  if (lua_rawequal(L, a, b)) return true;
  if (lua_isnil(L, EQUAL)) {
    same = lua_compare(L, a, b, LUA_OPEQ);
    check_unchanged(it); /* it can have called a metamethod */
    return same;
  }
  lua_pushvalue(L, EQUAL);
  lua_pushvalue(L, a);
  lua_pushvalue(L, b);
  call_option(it, "equal", nothing, 2, 1);
  same = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return same;
}

/* Pushes join(a, b), or widen(a, b), which becomes the fact of v. */
static void push_joined(solving *it, int by, ph_value v, int a, int b) {
  const ph_value nothing = {0};
  const char *option = by == JOIN ? "join" : "widen";
  lua_pushvalue(it->L, by);
  lua_pushvalue(it->L, a);
  lua_pushvalue(it->L, b);
  call_option(it, option, nothing, 2, 1);
  check_fact(it, v, option);
}

/* }== Facts ========================================================== */

/* Pushes the text of the fact at `at`; returns it. */
static const char *push_text(solving *it, int at) {
  const char *text = pl_error_tostring(it->L, at);
  check_unchanged(it); /* it can have called a metamethod */
  return text;
}

/* Checks that the fact at `after` is above the one at `before`. */
static void check_ascent(solving *it, ph_value v, int before, int after) {
  int both = lua_gettop(it->L) + 1;
  push_joined(it, JOIN, v, after, before);
  if (!facts_equal(it, both, after)) {
    const char *from = push_text(it, before), *to = push_text(it, after),
               *sum = push_text(it, both);
    pl_error(it->L, it->h,
             "the fact of '%i'%l does not ascend: it was %s and became %s, but "
             "the join of these is %s",
             v, ph_value_loc(it->h->f, v), from, to, sum);
  }
  lua_pop(it->L, 1);
}

/* Replaces the joined fact on top, which is above that at `before`, if v has
** changed so often that it must not go on in small steps. */
static void widen_fact(solving *it, ph_value v, int before) {
  lua_State *L = it->L;
  lua_Integer changes = ++it->s->changes[v.id];
  int joined = lua_gettop(L);
  bool widens = !lua_isnil(L, WIDEN);
  if (changes <= it->problem.limit) return;
  if (!widens || changes > it->problem.limit + SLACK) {
    const char *from = push_text(it, before), *to = push_text(it, joined);
    pl_error(it->L, it->h,
             "the fact of '%i'%l has changed %d times, at last from %s to %s: "
             "see the options 'widen' and 'limit'",
             v, ph_value_loc(it->h->f, v), (int)it->s->changes[v.id], from, to);
  }
  if (ph_value_op(it->h->f, v) != PH_PHI) return;
  push_joined(it, WIDEN, v, before, joined);
  check_ascent(it, v, joined, joined + 1);
  lua_replace(L, joined);
}

/* Pops a fact and joins it with that of v; true if that has changed. */
static bool merge_fact(solving *it, ph_value v) {
  lua_State *L = it->L;
  int given = lua_gettop(L), before = given + 1, after = given + 2;
  bool changed;
  if (lua_rawgeti(L, FACTS, v.id) == LUA_TNIL) {
    changed = !facts_equal(it, given, BOTTOM);
    lua_pushvalue(L, given);
    if (changed) it->s->changes[v.id]++;
  } else if (facts_equal(it, given, before)) {
    changed = false;
  } else {
    push_joined(it, JOIN, v, before, given);
    changed = !facts_equal(it, before, after);
    if (changed) {
      widen_fact(it, v, before);
      check_ascent(it, v, before, after);
    }
  }
  if (changed) lua_rawseti(L, FACTS, v.id);
  lua_settop(L, given - 1);
  return changed;
}

static void merge_and_tell(solving *it, ph_value v) {
  if (!merge_fact(it, v)) return;
  ph_solver_changed(it->s->solver, v);
  pl_solution_revisit(it->L, SOLUTION, v);
}

/* }== Steps ========================================================== */

/* Joins the facts of the operands that are new to a phi. */
static void join_operands(solving *it, ph_value phi) {
  lua_State *L = it->L;
  int sum = TOP + 1;
  ph_value v;
  lua_pushnil(L);
  while (v = ph_solver_operand(it->s->solver), ph_some(v)) {
    if (lua_rawgeti(L, FACTS, v.id) == LUA_TNIL) {
      lua_pop(L, 1);
    } else if (lua_isnil(L, sum)) {
      lua_replace(L, sum);
    } else {
      if (!facts_equal(it, sum, sum + 1)) {
        push_joined(it, JOIN, phi, sum, sum + 1);
        lua_replace(L, sum);
      }
      lua_settop(L, sum);
    }
  }
  if (lua_isnil(L, sum))
    lua_settop(L, TOP);
  else
    merge_and_tell(it, phi);
}

/* Calls the function for the op of v. */
static void call_transfer(solving *it, ph_value v, int nresults) {
  lua_State *L = it->L;
  ph_op op = ph_value_op(it->h->f, v);
  if (lua_rawgeti(L, TRANSFER, op) == LUA_TNIL) lua_copy(L, DEFAULT, -1);
  if (lua_isnil(L, -1))
    pl_error(L, it->h,
             "option 'transfer': no function for op '%o' of '%i'%l, and no "
             "'default'",
             op, v, ph_value_loc(it->h->f, v));
  pl_handle_give(L, it->h, FN, PL_KIND_VALUE, v.id);
  lua_pushvalue(L, FACT);
  call_option(it, "transfer", v, 2, nresults);
}

/* Lets v pass facts to its operands: a phi its own, other values what their
** function returns, of which the last goes to all further operands. */
static void pass_back(solving *it, ph_value v) {
  lua_State *L = it->L;
  ph_value w = ph_solver_operand(it->s->solver);
  if (!ph_some(w)) return;
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  if (ph_value_op(it->h->f, v) != PH_PHI) {
    call_transfer(it, v, LUA_MULTRET);
    if (lua_gettop(L) == TOP) lua_pushnil(L);
  } else if (lua_rawgeti(L, FACTS, v.id) == LUA_TNIL) {
    lua_pop(L, 1);
    return;
  }
  luaL_checkstack(L, LUA_MINSTACK, NULL);
  for (int i = TOP + 1; ph_some(w); w = ph_solver_operand(it->s->solver)) {
    lua_pushvalue(L, i);
    check_fact(it, v, "transfer");
    merge_and_tell(it, w);
    if (i < lua_gettop(L)) i++;
  }
  lua_settop(L, TOP);
}

static void ask_edge(solving *it, ph_step step) {
  lua_State *L = it->L;
  const ph_func *f = it->h->f;
  bool taken = true;
  if (!lua_isnil(L, EDGE)) {
    ph_block from = ph_block_edgefrom(f, step.edge),
             to = ph_block_edgeto(f, step.edge);
    int number = (int)(step.edge - ph_block_succedge(f, from, 0)) + 1;
    lua_pushvalue(L, EDGE);
    pl_handle_give(L, it->h, FN, PL_KIND_BLOCK, from.id);
    pl_handle_give(L, it->h, FN, PL_KIND_BLOCK, to.id);
    lua_pushvalue(L, FACT);
    lua_pushinteger(L, number);
    call_option(it, "edge", step.value, 4, 1);
    taken = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  if (taken) ph_solver_take(it->s->solver);
}

static int run_steps(lua_State *L, void *ud) {
  solving *it = ud;
  ph_step step;
  (void)L;
  while (step = ph_solver_next(it->s->solver), step.kind != PH_STEP_NONE) {
    if (step.kind == PH_STEP_EDGE) {
      ask_edge(it, step);
    } else if (step.kind == PH_STEP_JOIN) {
      join_operands(it, step.value);
    } else if (it->problem.direction == PH_FORWARD) {
      call_transfer(it, step.value, 1);
      check_fact(it, step.value, "transfer");
      merge_and_tell(it, step.value);
    } else {
      pass_back(it, step.value);
    }
  }
  return 0;
}

/* In protected mode, on copies of what is on the stack. */
static void run_protected(solving *it) {
  lua_State *L = it->L;
  for (int i = 1; i <= TOP; i++) lua_pushvalue(L, i);
  if (pl_protect_run(L, run_steps, it, TOP) == LUA_OK) return;
  if (pl_protect_hasyielded(L))
    pl_error_plain(L,
                   it->calling != NULL ? "option '%s' may not yield"
                                       : "a metamethod of facts may not yield",
                   it->calling);
  lua_error(L);
}

/* }== The method ===================================================== */

/* fn:solve{bottom =, join =, transfer =, edge =, equal =, widen =, direction =,
** limit =, values =}: a phial.Solution */
static int l_solve(lua_State *L) {
  solving it = {0};
  it.L = L;
  it.h = pl_arg_method(L, PL_KIND_FUNC, 1, 1);
  luaL_checkstack(L, TOP + LUA_MINSTACK, NULL);
  pl_access_read(L, it.h);
  it.problem = take_problem(L, it.h);
  it.s = pl_solution_push(L, it.h, FN, it.problem.direction);
  lua_createtable(L, (int)ph_value_count(it.h->f), 0);
  lua_pushvalue(L, FACTS);
  lua_setiuservalue(L, SOLUTION, PL_SOLUTION_FACTS);
  lua_pushvalue(L, BOTTOM);
  lua_setiuservalue(L, SOLUTION, PL_SOLUTION_BOTTOM);
  pl_solution_pushfact(L, SOLUTION);
  take_values(L, &it);
  check_unchanged(&it);
  if (lua_isyieldable(L))
    run_protected(&it);
  else
    run_steps(L, &it);
  lua_pushnil(L);
  lua_setiuservalue(L, SOLUTION, PL_SOLUTION_LINKS);
  lua_settop(L, SOLUTION);
  return pl_access_return(L, it.h, 1);
}

/* }=================================================================== */

const pl_method pl_solve_methods[] = {
    {PL_OF_FUNC, "solve", l_solve},
    {0},
};
