/* op.c: ops in Lua: the list phial.ops() and methods of handles. */
#include "binding/methods/op.h"

#include "binding/args/dialect.h"
#include "binding/state/arg.h"
#include "binding/state/method.h"

const char *pl_op_method(ph_op op) {
  const ph_oprow *row = ph_op_row(op);
  bool computes = row->op_class != PH_CLASS_OTHER || op == PH_COPY;
  bool accesses =
      op == PH_LOAD || op == PH_STORE || op == PH_MEMCPY || op == PH_MEMSET;
  return computes || accesses ? row->name : NULL;
}

static void set_flag(lua_State *L, bool flag, const char *name) {
  if (!flag) return;
  lua_pushboolean(L, true);
  lua_setfield(L, -2, name);
}

static void set_string(lua_State *L, const char *name, const char *s) {
  lua_pushstring(L, s);
  lua_setfield(L, -2, name);
}

static void set_integer(lua_State *L, const char *name, int i) {
  lua_pushinteger(L, i);
  lua_setfield(L, -2, name);
}

static void push_op(lua_State *L, const ph_oprow *row) {
  lua_createtable(L, 0, 12);
  set_string(L, "name", row->name);
  set_string(L, "signature", row->signature);
  set_string(L, "class", ph_op_classname((ph_opclass)row->op_class));
  set_string(L, "text", row->text);
  set_integer(L, "targets", row->targets);
  set_integer(L, "weight", row->weight);
  if (row->swapped != PH_NONE)
    set_string(L, "swapped", ph_op_row(row->swapped)->name);
  set_string(L, "effect", ph_effect_name((ph_effect)row->effect));
  set_flag(L,
           row->effect == PH_EFFECT_NONE &&
               !(row->flags & (PH_TRAPS | PH_TERMINATOR)),
           "pure");
  set_flag(L, row->flags & PH_COMMUTATIVE, "commutative");
  set_flag(L, row->flags & PH_TERMINATOR, "terminator");
  set_flag(L, row->flags & PH_TRAPS, "traps");
  set_flag(L, row->flags & PH_LEAF, "leaf");
}

/* phial.ops(): a list of {name =, signature =, class = ...}. */
static int l_ops(lua_State *L) {
  pl_arg_count(L, 0, 0);
  lua_createtable(L, PH_OPS, 0);
  for (ph_op op = PH_CONST; op < PH_OPS; op++) {
    push_op(L, ph_op_row(op));
    lua_rawseti(L, -2, op);
  }
  return 1;
}

/*
** {== Handles of ops =================================================
*/

static int push_name(lua_State *L, const pl_ophandle *o) {
  lua_pushfstring(L, "%s.%s", o->dialect->name, o->dialect->ops[o->index].name);
  return 1;
}

static int l_name(lua_State *L) {
  return push_name(L, pl_arg_only(L, PL_UP_OP));
}

static int l_tostring(lua_State *L) {
  return push_name(L, pl_arg_self(L, PL_UP_OP));
}

static int l_dialect(lua_State *L) {
  const pl_ophandle *o = pl_arg_only(L, PL_UP_OP);
  lua_pushstring(L, o->dialect->name);
  return 1;
}

static const ph_opspec *spec_of(lua_State *L, const pl_ophandle **o) {
  *o = pl_arg_only(L, PL_UP_OP);
  return &(*o)->dialect->ops[(*o)->index];
}

/* op:results(): their number; "*": the instruction says; 0 */
static int l_results(lua_State *L) {
  const pl_ophandle *o;
  const ph_opspec *s = spec_of(L, &o);
  if (s->nresults == PH_RESULTS_SAID)
    lua_pushliteral(L, "*");
  else
    lua_pushinteger(L, s->nresults);
  return 1;
}

/* op:says_type(): true if the instruction says the type of the results */
static int l_says_type(lua_State *L) {
  const pl_ophandle *o;
  lua_pushboolean(L, spec_of(L, &o)->result == PH_SAIDTYPE);
  return 1;
}

/* op:takes_env(): true if eval is called with the env of the run */
static int l_takes_env(lua_State *L) {
  const pl_ophandle *o;
  spec_of(L, &o);
  lua_pushboolean(L, o->env);
  return 1;
}

static int push_function(lua_State *L, pl_opfunction which) {
  pl_arg_only(L, PL_UP_OP);
  pl_dialect_op_pushfunction(L, 1, which);
  return 1;
}

static int l_eval(lua_State *L) { return push_function(L, PL_OP_EVAL); }
static int l_llvm(lua_State *L) { return push_function(L, PL_OP_LLVM); }
static int l_c(lua_State *L) { return push_function(L, PL_OP_C); }
static int l_describe(lua_State *L) { return push_function(L, PL_OP_DESCRIBE); }

/* }=================================================================== */

const pl_method pl_op_methods[] = {
    {PL_OF_MODULE, "ops", l_ops},
    {PL_OF_OP, "name", l_name},
    {PL_OF_OP, "dialect", l_dialect},
    {PL_OF_OP, "results", l_results},
    {PL_OF_OP, "says_type", l_says_type},
    {PL_OF_OP, "takes_env", l_takes_env},
    {PL_OF_OP, "eval", l_eval},
    {PL_OF_OP, "llvm", l_llvm},
    {PL_OF_OP, "c", l_c},
    {PL_OF_OP, "describe", l_describe},
    {PL_OF_OP, "__tostring", l_tostring},
    {0},
};
