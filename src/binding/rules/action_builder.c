/* action_builder.c: the restricted builder that an action gets.
**
** It emits pure instructions in the place of the one that the action replaces,
** and works only while that action runs.  What it emits is simplified like
** everything else, so it may return an existing value, and other actions may
** run within.
*/
#include "binding/rules/action_builder.h"

#include "binding/args/dialect.h"
#include "binding/args/payload.h"
#include "binding/args/operand.h"
#include "binding/rules/ruleset.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

void pl_action_builder_push(lua_State *L, pl_funcobj *h, int fn) {
  pl_handle *it = lua_newuserdatauv(L, sizeof *it, 1);
  it->owner = h;
  it->id = h->builder;
  it->tag = 0;
  pl_userdata_setkind(L, PL_UP_ACTOR);
  lua_pushvalue(L, fn);
  lua_setiuservalue(L, -2, 1);
}

/* The function of argument 1; an error unless that builder may work. */
static pl_funcobj *start(lua_State *L) {
  pl_handle *me = pl_arg_self(L, PL_UP_ACTOR);
  pl_funcobj *h = me->owner;
  if (me->id != h->builder)
    pl_error_plain(
        L, h->builder == 0
               ? "this builder works only while the action that got it runs"
               : "this builder waits until another action is done");
  pl_access_read(L, h);
  if (h->builder_failed)
    pl_error(L, h, "this builder no longer works: what it emitted has failed");
  return h;
}

/*
** {== Emitting =======================================================
*/

typedef struct {
  pl_funcobj *h;
  int fn;
  ph_op op;
  ph_type type;
  pl_operands operands;
} emission;

/* Runs the core, which may call functions behind $name. */
static ph_value emit(lua_State *L, emission *e) {
  pl_funcobj *h = e->h;
  int self = h->fn_index;
  ph_value v;
  pl_ruleset_begin(L, h, e->fn);
  pl_access_begin(h, "emitting into", ph_match_block(h->f));
  pl_operand_make(L, h->f, &e->operands);
  v = ph_match_emit(h->f, e->op, e->type, e->operands.args,
                    (uint32_t)e->operands.n);
  h->doing = NULL;
  h->fn_index = self;
  return v;
}

static int run(lua_State *L, emission *e) {
  ph_value v;
  pl_operand_check(L, e->h, &e->operands, e->op, &e->type);
  v = emit(L, e);
  if (!ph_some(v)) {
    e->h->builder_failed = true;
    if (ph_peephole_exhausted(e->h->f))
      pl_error(L, e->h, "rules go round in circles");
    return lua_error(L);
  }
  pl_handle_pushvalue(L, e->fn, v);
  return 1;
}

/* On the stack, from `first` on: operands, the type if the op is given one, and
** the function. */
static int take(lua_State *L, emission *e, int first) {
  int last = e->fn - 1;
  bool says = ph_op_needstype(e->h->f, e->op);
  int n = last - first + 1 - says;
  if (!ph_op_ispure(e->h->f, e->op))
    pl_error(L, e->h,
             "'%o' is not pure: the builder of an action emits pure "
             "instructions only",
             e->op);
  if (n < 0 || (n == 0 && says))
    pl_error(
        L, e->h,
        "'%o' needs the type of its result: a type's name as last argument",
        e->op);
  e->type = PH_NOTYPE;
  if (says) e->type = pl_arg_type(L, e->h, last);
  pl_operand_room(L, &e->operands, first, n, 1);
  return run(L, e);
}

static int l_op(lua_State *L) {
  emission e;
  e.h = start(L);
  e.fn = pl_handle_pushowner(L, 1);
  e.op = (ph_op)lua_tointeger(L, lua_upvalueindex(PL_UP_OPNUM));
  return take(L, &e, 2);
}

/* The op that argument 2 names or is the handle of. */
static ph_op take_op(lua_State *L, emission *e) {
  ph_op op;
  if (lua_type(L, 2) != LUA_TSTRING)
    return pl_dialect_attach_op(L, e->h, e->fn, 2, NULL);
  op = pl_arg_op(L, e->h, 2);
  if (op == PH_PHI || op == PH_PROJ || (ph_op_flags(e->h->f, op) & PH_LEAF))
    pl_error_arg(L, e->h, 2, "'%o' is not for the builder of an action", op);
  return op;
}

/* builder:emit(op, ...) */
static int l_emit(lua_State *L) {
  emission e;
  e.h = start(L);
  if (lua_gettop(L) == 1) pl_arg_count(L, 1, 1);
  e.fn = pl_handle_pushowner(L, 1);
  e.op = take_op(L, &e);
  if (ph_op_nresults(e.h->f, e.op) > 1)
    pl_error_arg(L, e.h, 2, "'%o' has more than one result", e.op);
  return take(L, &e, 3);
}

/* builder:const(literal[, type]) */
static int l_const(lua_State *L) {
  pl_funcobj *h = start(L);
  ph_type type = PH_NOTYPE;
  ph_value v;
  int n = lua_gettop(L) - 1, fn;
  if (n < 1 || n > 2) pl_arg_count(L, 1, 2);
  lua_settop(L, 3);
  if (!lua_isnil(L, 3)) type = pl_arg_type(L, h, 3);
  if (!pl_literal_is(L, 2))
    pl_error_arg(L, h, 2, "constant expected, got %g", 2);
  type = pl_operand_typed(L, h, 2, type, (ph_var){0});
  fn = pl_handle_pushowner(L, 1);
  pl_access_begin(h, "making a constant of", (ph_block){0});
  v = pl_literal_value(L, h->f, 2, type);
  h->doing = NULL;
  pl_handle_pushvalue(L, fn, v);
  return 1;
}

/* }=================================================================== */

static int l_tostring(lua_State *L) {
  pl_arg_self(L, PL_UP_ACTOR);
  lua_pushliteral(L, "phial.Actor");
  return 1;
}

const pl_method pl_action_builder_methods[] = {
    {PL_OF_ACTOR, PL_EACH_OP, l_op},
    {PL_OF_ACTOR, "emit", l_emit},
    {PL_OF_ACTOR, "const", l_const},
    {PL_OF_ACTOR, "__tostring", l_tostring},
    {0},
};
