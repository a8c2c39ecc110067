/* solve.c: fn:solve{...}: sparse data-flow analysis.
**
** The core says what to evaluate next (core/solve); the facts are Lua values in
** a table, which callbacks make.  Callbacks are called without protection: the
** core has returned, so an error may jump, and its traceback is whole.  (Not in
** a coroutine, where they may try to yield.)  Nothing is locked that would have
** to be unlocked then: if a callback has changed the function, the call ends
** with an error.
**
** A fact only ascends: a new one is joined with the one before.  So a sloppy
** transfer function costs precision, not termination.
*/
#include "binding/analysis/problem.h"
#include "binding/analysis/solution.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/message.h"
#include "binding/state/method.h"

/* Indices of the stack, behind those of problem.h. */
enum { SOLUTION = PL_PROBLEM_DEFAULT + 1, FACTS, FACT, TOP = FACT };

/* A phi whose fact goes on changing is widened at the limit; any other value,
** and a phi that widening does not stop, may change so many times more. */
enum { SLACK = 1000 };

typedef struct {
  lua_State *L;
  pl_funcobj *h;
  pl_solution *s;
  pl_problem problem;
  const char *calling; /* the option, while it is called */
} solving;

/*
** {== Callbacks ======================================================
*/

/* To be called after all that can run code of the user, finalizers included. */
static void check_unchanged(solving *it) {
  pl_access_read(it->L, it->h);
  if (ph_func_version(it->h->f) != it->s->version)
    pl_error(it->L, it->h,
             "function '%f' was changed by a callback of fn:solve, which may "
             "only read it");
}

/* Calls the function below n arguments, which the option is or has, about
** `about`. */
static void call(solving *it, const char *option, ph_value about, int n,
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

static bool equal(solving *it, int a, int b) {
  const ph_value nothing = {0};
  bool same;
  lua_State *L = it->L;
  if (lua_rawequal(L, a, b)) return true;
  if (lua_isnil(L, PL_PROBLEM_EQUAL)) {
    same = lua_compare(L, a, b, LUA_OPEQ);
    check_unchanged(it); /* it can have called a metamethod */
    return same;
  }
  lua_pushvalue(L, PL_PROBLEM_EQUAL);
  lua_pushvalue(L, a);
  lua_pushvalue(L, b);
  call(it, "equal", nothing, 2, 1);
  same = lua_toboolean(L, -1);
  lua_pop(L, 1);
  return same;
}

/* Pushes join(a, b), or widen(a, b), which becomes the fact of v. */
static void push_joined(solving *it, int by, ph_value v, int a, int b) {
  const ph_value nothing = {0};
  const char *option = by == PL_PROBLEM_JOIN ? "join" : "widen";
  lua_pushvalue(it->L, by);
  lua_pushvalue(it->L, a);
  lua_pushvalue(it->L, b);
  call(it, option, nothing, 2, 1);
  check_fact(it, v, option);
}

/* }== Facts ========================================================== */

/* Pushes the text of the fact at `at`; returns it. */
static const char *push_text(solving *it, int at) {
  const char *text = pl_error_tostring(it->L, at);
  check_unchanged(it); /* it can have called a metamethod */
  return text;
}

static void fail_limit(solving *it, ph_value v, int before, int after) {
  const char *from = push_text(it, before), *to = push_text(it, after);
  pl_error(it->L, it->h,
           "the fact of '%i'%l has changed %d times, at last from %s to %s: "
           "see the options 'widen' and 'limit'",
           v, ph_value_loc(it->h->f, v), (int)it->s->changes[v.id], from, to);
}

/* Checks that the fact at `after` is above the one at `before`. */
static void check_ascent(solving *it, ph_value v, int before, int after) {
  int both = lua_gettop(it->L) + 1;
  push_joined(it, PL_PROBLEM_JOIN, v, after, before);
  if (!equal(it, both, after)) {
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
static void widen(solving *it, ph_value v, int before) {
  lua_State *L = it->L;
  lua_Integer changes = ++it->s->changes[v.id];
  int joined = lua_gettop(L);
  bool widens = !lua_isnil(L, PL_PROBLEM_WIDEN);
  if (changes <= it->problem.limit) return;
  if (!widens || changes > it->problem.limit + SLACK)
    fail_limit(it, v, before, joined);
  if (ph_value_op(it->h->f, v) != PH_PHI) return;
  push_joined(it, PL_PROBLEM_WIDEN, v, before, joined);
  check_ascent(it, v, joined, joined + 1);
  lua_replace(L, joined);
}

/* Pops a fact and joins it with that of v; true if that has changed. */
static bool merge(solving *it, ph_value v) {
  lua_State *L = it->L;
  int given = lua_gettop(L), before = given + 1, after = given + 2;
  bool changed;
  if (lua_rawgeti(L, FACTS, v.id) == LUA_TNIL) {
    changed = !equal(it, given, PL_PROBLEM_BOTTOM);
    lua_pushvalue(L, given);
    if (changed) it->s->changes[v.id]++;
  } else if (equal(it, given, before)) {
    changed = false;
  } else {
    push_joined(it, PL_PROBLEM_JOIN, v, before, given);
    changed = !equal(it, before, after);
    if (changed) {
      widen(it, v, before);
      check_ascent(it, v, before, after);
    }
  }
  if (changed) lua_rawseti(L, FACTS, v.id);
  lua_settop(L, given - 1);
  return changed;
}

static void merge_and_tell(solving *it, ph_value v) {
  if (!merge(it, v)) return;
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
      if (!equal(it, sum, sum + 1)) {
        push_joined(it, PL_PROBLEM_JOIN, phi, sum, sum + 1);
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
  if (lua_rawgeti(L, PL_PROBLEM_TRANSFER, op) == LUA_TNIL)
    lua_copy(L, PL_PROBLEM_DEFAULT, -1);
  if (lua_isnil(L, -1))
    pl_error(L, it->h,
             "option 'transfer': no function for op '%o' of '%i'%l, and no "
             "'default'",
             op, v, ph_value_loc(it->h->f, v));
  pl_handle_give(L, it->h, PL_PROBLEM_FN, PL_UP_VALUE, v.id);
  lua_pushvalue(L, FACT);
  call(it, "transfer", v, 2, nresults);
}

static void evaluate(solving *it, ph_value v) {
  call_transfer(it, v, 1);
  check_fact(it, v, "transfer");
  merge_and_tell(it, v);
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

/* Returns the number of the edge among those that leave its block, from 1. */
static int number_of(const ph_func *f, ph_block from, uint32_t edge) {
  return (int)(edge - ph_block_succedge(f, from, 0)) + 1;
}

static void ask_edge(solving *it, ph_step step) {
  lua_State *L = it->L;
  const ph_func *f = it->h->f;
  bool taken = true;
  if (!lua_isnil(L, PL_PROBLEM_EDGE)) {
    ph_block from = ph_block_edgefrom(f, step.edge),
             to = ph_block_edgeto(f, step.edge);
    int number = number_of(f, from, step.edge);
    lua_pushvalue(L, PL_PROBLEM_EDGE);
    pl_handle_give(L, it->h, PL_PROBLEM_FN, PL_UP_BLOCK, from.id);
    pl_handle_give(L, it->h, PL_PROBLEM_FN, PL_UP_BLOCK, to.id);
    lua_pushvalue(L, FACT);
    lua_pushinteger(L, number);
    call(it, "edge", step.value, 4, 1);
    taken = lua_toboolean(L, -1);
    lua_pop(L, 1);
  }
  if (taken) ph_solver_take(it->s->solver);
}

static int run(lua_State *L, void *ud) {
  solving *it = ud;
  ph_step step;
  (void)L;
  while (step = ph_solver_next(it->s->solver), step.kind != PH_STEP_NONE) {
    if (step.kind == PH_STEP_EDGE)
      ask_edge(it, step);
    else if (step.kind == PH_STEP_JOIN)
      join_operands(it, step.value);
    else if (it->problem.direction == PH_FORWARD)
      evaluate(it, step.value);
    else
      pass_back(it, step.value);
  }
  return 0;
}

/* In protected mode, on copies of what is on the stack. */
static void run_protected(solving *it) {
  lua_State *L = it->L;
  for (int i = 1; i <= TOP; i++) lua_pushvalue(L, i);
  if (pl_protect_run(L, run, it, TOP) == LUA_OK) return;
  if (pl_protect_hasyielded(L))
    pl_error_plain(L,
                   it->calling != NULL ? "option '%s' may not yield"
                                       : "a metamethod of facts may not yield",
                   it->calling);
  lua_error(L);
}

/* }=================================================================== */

/* fn:solve{bottom =, join =, transfer =, edge =, equal =, widen =, direction =,
** limit =}: a phial.Solution */
static int l_solve(lua_State *L) {
  solving it = {0};
  it.L = L;
  it.h = pl_arg_method(L, PL_UP_FUNC, 1, 1);
  luaL_checkstack(L, TOP + LUA_MINSTACK, NULL);
  pl_access_read(L, it.h);
  it.problem = pl_problem_take(L, it.h);
  it.s = pl_solution_push(L, it.h, PL_PROBLEM_FN, it.problem.direction);
  lua_createtable(L, (int)ph_value_count(it.h->f), 0);
  lua_pushvalue(L, FACTS);
  lua_setiuservalue(L, SOLUTION, PL_SOLUTION_FACTS);
  lua_pushvalue(L, PL_PROBLEM_BOTTOM);
  lua_setiuservalue(L, SOLUTION, PL_SOLUTION_BOTTOM);
  pl_solution_pushfact(L, SOLUTION);
  check_unchanged(&it);
  if (lua_isyieldable(L))
    run_protected(&it);
  else
    run(L, &it);
  lua_pushnil(L);
  lua_setiuservalue(L, SOLUTION, PL_SOLUTION_LINKS);
  lua_settop(L, SOLUTION);
  return pl_access_return(L, it.h, 1);
}

const pl_method pl_solve_methods[] = {
    {PL_OF_FUNC, "solve", l_solve},
    {0},
};
