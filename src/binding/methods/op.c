/* op.c: ops in Lua: the list phial.ops() and methods of handles. */
#include "binding/methods/op.h"

#include "binding/args/dialect.h"
#include "binding/state/arg.h"
#include "binding/state/method.h"

static const struct {
  const char *name, *signature;
  int flags, targets;
} ops[] = {
#define PH_OP(NAME, name, signature, flags, targets) \
  {name, signature, (flags), (targets)},
#include "phial/op.def"
#undef PH_OP
};

const char *pl_op_method(ph_op op) {
  bool has_own = op < PH_ADD || op == PH_CALL || op == PH_PROJ ||
                 (ops[op].flags & PH_TERMINATOR);
  return has_own ? NULL : ops[op].name;
}

static void set_flag(lua_State *L, int flags, int flag, const char *name) {
  if (!(flags & flag)) return;
  lua_pushboolean(L, true);
  lua_setfield(L, -2, name);
}

/* phial.ops(): a list of {name =, signature =, targets =, pure = ...}. */
static int l_ops(lua_State *L) {
  pl_arg_count(L, 0, 0);
  lua_createtable(L, PH_OPS, 0);
  for (int op = PH_CONST; op < PH_OPS; op++) {
    lua_createtable(L, 0, 4);
    lua_pushstring(L, ops[op].name);
    lua_setfield(L, -2, "name");
    lua_pushstring(L, ops[op].signature);
    lua_setfield(L, -2, "signature");
    lua_pushinteger(L, ops[op].targets);
    lua_setfield(L, -2, "targets");
    set_flag(L, ops[op].flags, PH_PURE, "pure");
    set_flag(L, ops[op].flags, PH_COMMUTATIVE, "commutative");
    set_flag(L, ops[op].flags, PH_TERMINATOR, "terminator");
    set_flag(L, ops[op].flags, PH_TRAPS, "traps");
    set_flag(L, ops[op].flags, PH_LEAF, "leaf");
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
  return push_name(L, pl_arg_method(L, PL_UP_OP, 0, 0));
}

static int l_tostring(lua_State *L) {
  return push_name(L, pl_arg_self(L, PL_UP_OP));
}

static int l_dialect(lua_State *L) {
  const pl_ophandle *o = pl_arg_method(L, PL_UP_OP, 0, 0);
  lua_pushstring(L, o->dialect->name);
  return 1;
}

static int l_eval(lua_State *L) {
  pl_arg_method(L, PL_UP_OP, 0, 0);
  lua_getiuservalue(L, 1, 2);
  return 1;
}

/* }=================================================================== */

const pl_method pl_op_methods[] = {
    {PL_OF_MODULE, "ops", l_ops},         {PL_OF_OP, "name", l_name},
    {PL_OF_OP, "dialect", l_dialect},     {PL_OF_OP, "eval", l_eval},
    {PL_OF_OP, "__tostring", l_tostring}, {0},
};
