/* module.c: phial.core: its metatables, functions and methods, put together
** from the tables of the files that have them.
*/
#include <string.h>

#include "binding/methods/op.h"
#include "binding/state/memory.h"
#include "binding/state/method.h"
#include "binding/state/protect.h"
#include "binding/state/suggest.h"

/*
** {== The shared upvalues ============================================
**
** While the module is made they are the first elements of the stack.
*/

static void push_closure(lua_State *L, lua_CFunction run, const char *name) {
  for (int i = 1; i <= PL_UP_SHARED; i++) lua_pushvalue(L, i);
  lua_pushstring(L, name);
  lua_pushcclosure(L, run, PL_UP_NAME);
}

/* The module's finalizer. */
static int l_close(lua_State *L) {
  pl_memory_close(L, lua_touserdata(L, lua_upvalueindex(1)));
  return 0;
}

static void push_module(lua_State *L) {
  size_t size = sizeof(pl_module) + ph_pool_size();
  pl_module *m = lua_newuserdatauv(L, size, PL_MODULE_USERVALUES);
  pl_memory_start(L, m);
  for (int i = 1; i < PL_UP_HANDLES; i++) m->kinds[i] = lua_topointer(L, i);
  m->rock = "";
  m->nrock = m->position_size = 0;
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, -2);
  lua_pushcclosure(L, l_close, 1);
  lua_setfield(L, -2, "__gc");
  lua_setmetatable(L, -2);
}

/* The table of handles is weak. */
static void push_handles(lua_State *L) {
  lua_createtable(L, 256, 0);
  lua_createtable(L, 0, 1);
  lua_pushstring(L, "v");
  lua_setfield(L, -2, "__mode");
  lua_setmetatable(L, -2);
}

static void push_shared(lua_State *L) {
  for (int kind = PL_UP_FUNC; kind <= PL_UP_EVENT; kind++) {
    lua_newtable(L);
    lua_pushstring(L, pl_userdata_names[kind]);
    lua_setfield(L, -2, "__name");
    lua_newtable(L);
    lua_setfield(L, -2, "__index");
  }
  push_handles(L);
  push_module(L);
  push_closure(L, pl_protect_callee, "");
  lua_setiuservalue(L, PL_UP_MODULE, PL_MODULE_PROTECTED);
}

/* }== Registering ==================================================== */

enum { MODULE = PL_UP_SHARED + 1 }; /* stack index of the module's table */

/* Adds a function of the module; its own name has a prefix. */
static void add_function(lua_State *L, const pl_method *m) {
  lua_pushfstring(L, "phial.%s", m->name);
  push_closure(L, m->run, lua_tostring(L, -1));
  lua_setfield(L, MODULE, m->name);
  lua_pop(L, 1);
}

/* Adds a method for each op to the table on top. */
static void add_ops(lua_State *L, lua_CFunction run) {
  for (int op = PH_CONST; op < PH_OPS; op++) {
    const char *name = pl_op_method((ph_op)op);
    if (name == NULL) continue;
    for (int i = 1; i <= PL_UP_SHARED; i++) lua_pushvalue(L, i);
    lua_pushstring(L, name);
    lua_pushinteger(L, op);
    lua_pushcclosure(L, run, PL_UP_OPNUM);
    lua_setfield(L, -2, name);
  }
}

static void add_method(lua_State *L, const pl_method *m, int kind) {
  if (strncmp(m->name, "__", 2) == 0)
    lua_pushvalue(L, kind);
  else
    lua_getfield(L, kind, "__index");
  if (strcmp(m->name, PL_EACH_OP) == 0) {
    add_ops(L, m->run);
  } else {
    push_closure(L, m->run, m->name);
    lua_setfield(L, -2, m->name);
  }
  lua_pop(L, 1);
}

static void add_all(lua_State *L, const pl_method *m) {
  for (; m->of != 0; m++) {
    if (m->of & PL_OF_MODULE) add_function(L, m);
    for (int kind = PL_UP_FUNC; kind <= PL_UP_EVENT; kind++)
      if (m->of & (1 << kind)) add_method(L, m, kind);
  }
}

static void add_files(lua_State *L) {
#define ADD(file) add_all(L, pl_##file##_methods)
  PL_METHOD_FILES(ADD);
}

/* Lets the tables of methods refuse what they do not have. */
static void refuse_others(lua_State *L) {
  for (int kind = PL_UP_FUNC; kind <= PL_UP_ACTOR; kind++) {
    lua_getfield(L, kind, "__index");
    lua_createtable(L, 0, 1);
    push_closure(L, pl_suggest_method, pl_userdata_names[kind]);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
  }
}

/* Lua finds it by its name. */
LUAMOD_API int luaopen_phial_core(lua_State *L);
int luaopen_phial_core(lua_State *L) {
  luaL_checkstack(L, MODULE + PL_UP_OPNUM + 8, NULL);
  lua_settop(L, 0);
  push_shared(L);
  lua_newtable(L);
  add_files(L);
  refuse_others(L);
  lua_pushvalue(L, PL_UP_FUNC);
  lua_setfield(L, MODULE, "Function"); /* the facade adds to it */
  return 1;
}

/* }=================================================================== */
