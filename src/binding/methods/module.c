/* module.c: phial.core: its metatables, functions and methods, put together
** from the tables of the files that have them; the list of ops.
*/
#include <string.h>

#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/memory.h"
#include "binding/state/method.h"

/*
** {== The module =====================================================
*/

/* The module's finalizer. */
static int l_close(lua_State *L) {
  pl_memory_close(L, lua_touserdata(L, lua_upvalueindex(1)));
  return 0;
}

static void push_module(lua_State *L) {
  size_t size = sizeof(pl_module) + ph_pool_size();
  pl_module *m = lua_newuserdatauv(L, size, PL_MODULE_USERVALUES);
  pl_memory_start(L, m);
  m->rock = "";
  m->position_size = 0;
  m->nested = 0;
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, l_close, 1);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
  for (int kind = 1; kind <= PL_KINDS; kind++) {
    lua_newtable(L);
    m->kinds[kind] = lua_topointer(L, -1);
    lua_pushstring(L, pl_userdata_names[kind]);
    lua_setfield(L, -2, "__name");
    lua_newtable(L);
    lua_setfield(L, -2, "__index");
    lua_setiuservalue(L, -2, kind);
  }
}

/* }== Ops ============================================================ */

static void set_flag(lua_State *L, bool flag, const char *name) {
  if (!flag) return;
  lua_pushboolean(L, true);
  lua_setfield(L, -2, name);
}

static void set_string(lua_State *L, const char *name, const char *s) {
  lua_pushstring(L, s);
  lua_setfield(L, -2, name);
}

static void push_op(lua_State *L, const ph_oprow *row) {
  lua_createtable(L, 0, 12);
  set_string(L, "name", row->name);
  set_string(L, "signature", row->signature);
  set_string(L, "class", ph_op_classname((ph_opclass)row->op_class));
  set_string(L, "text", row->text);
  pl_userdata_setnumber(L, "targets", row->targets);
  pl_userdata_setnumber(L, "weight", row->weight);
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
  lua_createtable(L, PH_KNOWN_OPS, 0);
  for (ph_op op = PH_CONST; op < PH_KNOWN_OPS; op++) {
    push_op(L, ph_op_row(op));
    lua_rawseti(L, -2, op);
  }
  return 1;
}

const pl_method pl_module_methods[] = {
    {PL_OF_MODULE, "ops", l_ops},
    {0},
};

/* }== Registering ==================================================== */

enum { TABLE = 1 }; /* stack index of the module's table */

/* Pushes the metatable of that kind. */
static void push_metatable(lua_State *L, int kind) {
  lua_getiuservalue(L, lua_upvalueindex(PL_UP_MODULE), kind);
}

/* Adds the function on top to all kinds in the set, and pops it. */
static void add_to(lua_State *L, int of, const char *name) {
  bool is_metamethod = strncmp(name, "__", 2) == 0;
  for (int kind = 1; kind <= PL_KINDS; kind++) {
    if (!(of & (1 << kind))) continue;
    push_metatable(L, kind);
    if (!is_metamethod) lua_getfield(L, -1, "__index");
    lua_pushvalue(L, is_metamethod ? -2 : -3);
    lua_setfield(L, -2, name);
    lua_pop(L, is_metamethod ? 1 : 2);
  }
  lua_pop(L, 1);
}

/* The name of the method that emits op; NULL if it is not like the others:
** a leaf, a phi, a call, a projection or a terminator; or if an option of
** another method chooses it. */
static const char *op_method(ph_op op) {
  const ph_oprow *row = ph_op_row(op);
  bool computes = row->op_class != PH_CLASS_OTHER || op == PH_COPY;
  bool accesses = op == PH_LOAD || op == PH_STORE || op == PH_LOAD_VOLATILE ||
                  op == PH_STORE_VOLATILE || op == PH_MEMCPY ||
                  op == PH_MEMMOVE || op == PH_MEMSET ||
                  (op >= PH_VA_START && op <= PH_VA_END);
  return computes || accesses ? row->name : NULL;
}

/* Adds a method for each op. */
static void add_ops(lua_State *L, const pl_method *m) {
  for (int op = PH_CONST; op < PH_KNOWN_OPS; op++) {
    const char *name = op_method((ph_op)op);
    if (name == NULL) continue;
    lua_pushinteger(L, op);
    pl_userdata_pushfunction(L, m->run, name, 1);
    add_to(L, m->of, name);
  }
}

/* Kinds that have the same method share one function. */
static void add_all(lua_State *L, const pl_method *m) {
  for (; m->of != 0; m++) {
    if (m->of & PL_OF_MODULE) {
      lua_pushfstring(L, "phial.%s", m->name);
      pl_userdata_pushfunction(L, m->run, lua_tostring(L, -1), 0);
      lua_setfield(L, TABLE, m->name);
      lua_pop(L, 1);
    } else if (strcmp(m->name, PL_EACH_OP) == 0) {
      add_ops(L, m);
    } else {
      pl_userdata_pushfunction(L, m->run, m->name, 0);
      add_to(L, m->of, m->name);
    }
  }
}

/* Lets the tables of methods refuse what they do not have. */
static void refuse_others(lua_State *L) {
  for (int kind = PL_KIND_FUNC; kind <= PL_KIND_ACTOR; kind++) {
    push_metatable(L, kind);
    lua_getfield(L, -1, "__index");
    lua_createtable(L, 0, 1);
    pl_userdata_pushfunction(L, pl_arg_unknownmethod, pl_userdata_names[kind],
                             0);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
    if (kind == PL_KIND_LANGUAGE || kind == PL_KIND_WRITING) {
      /* nothing can call a finalizer while rows are being filled */
      lua_pushboolean(L, false);
      lua_setfield(L, -2, "__metatable");
    }
    lua_pop(L, 1);
  }
}

/* Makes the module's table.  The upvalues are those of all functions. */
static int make_module(lua_State *L) {
  lua_newtable(L);
  pl_userdata_pushfunction(L, pl_protect_callee, "", 0);
  lua_setiuservalue(L, lua_upvalueindex(PL_UP_MODULE), PL_MODULE_PROTECTED);
#define ADD(file) add_all(L, pl_##file##_methods)
  PL_METHOD_FILES(ADD);
  refuse_others(L);
  push_metatable(L, PL_KIND_FUNC);
  lua_setfield(L, TABLE, "Function"); /* the facade adds to these */
  push_metatable(L, PL_KIND_RULES);
  lua_setfield(L, TABLE, "Rules");
  push_metatable(L, PL_KIND_LIBRARY);
  lua_setfield(L, TABLE, "Library");
  lua_pushliteral(L, "phial " PH_VERSION);
  lua_setfield(L, TABLE, "_VERSION");
  return 1;
}

/* Lua finds it by its name. */
LUAMOD_API int luaopen_phial_core(lua_State *L);
int luaopen_phial_core(lua_State *L) {
  luaL_checkversion(L);
  push_module(L);
  lua_createtable(L, 256, 0);
  lua_createtable(L, 0, 1);
  lua_pushstring(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
  lua_pushcclosure(L, make_module, PL_UP_HANDLES);
  lua_call(L, 0, 1);
  return 1;
}

/* }=================================================================== */
