/* module.c: phial.core: the metatables with their methods, and what the
** module offers.
*/
#include "binding/methods/module.h"

#include <string.h>

#include "binding/args/dialect.h"
#include "binding/args/dialect_attach.h"
#include "binding/emit/cursor.h"
#include "binding/emit/emit.h"
#include "binding/methods/new_function.h"
#include "binding/rules/action_builder.h"
#include "binding/rules/ruleset.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/funcobj.h"
#include "binding/state/handle.h"
#include "binding/state/memory.h"
#include "binding/state/protect.h"

static const struct {
  const char *name, *signature;
  int flags, targets;
} ops[] = {
#define PH_OP(NAME, name, signature, flags, targets) \
  {name, signature, (flags), (targets)},
#include "phial/op.def"
#undef PH_OP
};

/*
** {== phial.ops ======================================================
*/

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

/* }== Registering ==================================================== */

/* The stack's first elements are the shared upvalues. */
static void push_upvalues(lua_State *L, const char *name) {
  for (int i = 1; i <= PL_UP_SHARED; i++) lua_pushvalue(L, i);
  lua_pushstring(L, name);
}

/* Adds functions to the table on top; their own names have a prefix. */
static void add(lua_State *L, const luaL_Reg *r, const char *prefix) {
  for (; r->name != NULL; r++) {
    char name[40];
    strcpy(name, prefix);
    strncat(name, r->name, 30);
    push_upvalues(L, name);
    lua_pushcclosure(L, r->func, PL_UP_NAME);
    lua_setfield(L, -2, r->name);
  }
}

/* Adds a method for each op that is an instruction without peculiarities. */
static void add_ops(lua_State *L, lua_CFunction f) {
  for (int op = PH_ADD; op < PH_OPS; op++) {
    if ((ops[op].flags & PH_TERMINATOR) || op == PH_CALL || op == PH_PROJ)
      continue;
    push_upvalues(L, ops[op].name);
    lua_pushinteger(L, op);
    lua_pushcclosure(L, f, PL_UP_OPNUM);
    lua_setfield(L, -2, ops[op].name);
  }
}

/* What the handles of a metatable have; the lists end with NULL. */
typedef struct {
  int metatable;
  lua_CFunction op; /* the method that stands for each op, or NULL */
  const luaL_Reg *methods[10], *meta[3];
} kind;

static const kind kinds[] = {
    {PL_UP_FUNC,
     NULL,
     {pl_function_methods, pl_finish_methods, pl_analysis_methods,
      pl_edge_methods, pl_loop_methods, pl_text_methods, pl_funcobj_methods,
      pl_log_methods},
     {pl_funcobj_meta, pl_text_meta}},
    {PL_UP_BLOCK,
     pl_emit_blockop,
     {pl_block_methods, pl_emit_methods, pl_phi_methods, pl_terminator_methods,
      pl_terminator_blockmethods, pl_switch_methods, pl_cursor_blockmethods,
      pl_edge_blockmethods, pl_loop_blockmethods},
     {pl_handle_blockmeta}},
    {PL_UP_VALUE,
     pl_emit_valueop,
     {pl_value_methods, pl_cursor_valuemethods, pl_edit_methods},
     {pl_handle_valuemeta, pl_operator_meta}},
    {PL_UP_CURSOR,
     pl_emit_blockop,
     {pl_emit_methods, pl_phi_methods, pl_terminator_methods, pl_switch_methods,
      pl_cursor_methods},
     {pl_cursor_meta}},
    {PL_UP_RULES,
     NULL,
     {pl_ruleset_methods, pl_explain_methods, pl_rule_check_methods},
     {pl_ruleset_meta}},
    /* An action emits pure instructions only. */
    {PL_UP_ACTOR,
     pl_action_builder_op,
     {pl_action_builder_methods},
     {pl_action_builder_meta}},
    {PL_UP_VAR, NULL, {pl_variable_methods}, {pl_handle_varmeta}},
    {PL_UP_OP, NULL, {pl_dialect_attach_opmethods}, {pl_dialect_attach_opmeta}},
};

static void add_all(lua_State *L, const luaL_Reg *const *lists) {
  for (; *lists != NULL; lists++) add(L, *lists, "");
}

static void fill(lua_State *L, const kind *k) {
  lua_newtable(L);
  if (k->op != NULL) add_ops(L, k->op);
  add_all(L, k->methods);
  lua_setfield(L, k->metatable, "__index");
  lua_pushvalue(L, k->metatable);
  add_all(L, k->meta);
  lua_pop(L, 1);
}

/* Functions that outlive the module keep no memory for others. */
static int close_module(lua_State *L) {
  pl_module *m = lua_touserdata(L, 1);
  pl_memory_close(L, m);
  return 0;
}

static void push_module(lua_State *L) {
  pl_module *m = lua_newuserdatauv(L, sizeof *m, PL_MODULE_PROTECTED);
  pl_memory_start(L, m);
  for (int i = 1; i < PL_UP_HANDLES; i++) m->kinds[i] = lua_topointer(L, i);
  m->rock = "";
  m->nrock = 0;
  lua_createtable(L, 0, 1);
  lua_pushcfunction(L, close_module);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
}

/* Pushes the shared upvalues, in their order. */
static void push_shared(lua_State *L) {
  lua_settop(L, 0);
  for (int i = PL_UP_FUNC; i <= PL_UP_ACTOR; i++) {
    lua_newtable(L);
    lua_pushstring(L, pl_userdata_names[i]);
    lua_setfield(L, -2, "__name");
  }
  lua_createtable(L, 256, 0);
  lua_createtable(L, 0, 1);
  lua_pushstring(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  push_module(L);
}

LUAMOD_API int luaopen_phial_core(lua_State *L) {
  static const luaL_Reg functions[] = {{"fn", pl_new_function},
                                       {"dialect", pl_dialect_new},
                                       {"parse", pl_text_parse},
                                       {"rules", pl_ruleset_new},
                                       {"ops", l_ops},
                                       {"rock", pl_error_setrock},
                                       {NULL, NULL}};
  push_shared(L);
  push_upvalues(L, "protected");
  lua_pushcclosure(L, pl_protect_callee, PL_UP_NAME);
  lua_setiuservalue(L, PL_UP_MODULE, PL_MODULE_PROTECTED);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) fill(L, &kinds[i]);
  lua_newtable(L);
  add(L, functions, "phial.");
  lua_pushvalue(L, PL_UP_FUNC);
  lua_setfield(L, -2, "Function"); /* the facade adds to it */
  return 1;
}

/* }=================================================================== */
