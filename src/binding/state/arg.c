/* arg.c: arguments: self, counts, strings, numbers, types, tables of options.
**
** Strings are never taken as numbers, nor numbers as strings.
*/
#include "binding/state/arg.h"

#include <string.h>

#include "binding/state/error.h"
#include "binding/state/suggest.h"

static bool is_method(lua_State *L) {
  return strncmp(lua_tostring(L, lua_upvalueindex(PL_UP_NAME)), "phial.", 6) !=
         0;
}

void pl_arg_count(lua_State *L, int least, int most) {
  const char *name = lua_tostring(L, lua_upvalueindex(PL_UP_NAME));
  int n = lua_gettop(L) - is_method(L);
  for (; n > most && most >= 0 && lua_isnil(L, -1); n--) lua_pop(L, 1);
  if (n >= least && (n <= most || most < 0)) return;
  if (most < 0)
    pl_error_plain(L,
                   "wrong number of arguments to '%s' (at least %d expected, "
                   "got %d)",
                   name, least, n);
  else if (least == most)
    pl_error_plain(L, "wrong number of arguments to '%s' (%d expected, got %d)",
                   name, least, n);
  else
    pl_error_plain(
        L, "wrong number of arguments to '%s' (%d to %d expected, got %d)",
        name, least, most, n);
}

void pl_arg_badself(lua_State *L, int kind) {
  const char *got = luaL_typename(L, 1);
  if (luaL_getmetafield(L, 1, "__name") == LUA_TSTRING)
    got = lua_tostring(L, -1);
  pl_error_plain(L, "calling '%s' on bad self (%s expected, got %s) (use ':'?)",
                 lua_tostring(L, lua_upvalueindex(PL_UP_NAME)),
                 pl_userdata_names[kind], got);
}

void pl_arg_refuse(lua_State *L, int kind, int top, int least, int most) {
  lua_settop(L, top);
  if (pl_userdata_test(L, 1, kind) == NULL) pl_arg_badself(L, kind);
  pl_arg_count(L, least, most);
  lua_pushnil(L);
}

static void check_type(lua_State *L, int arg, int type) {
  if (lua_type(L, arg) != type)
    pl_error_plainarg(L, arg, "%s expected, got %s", lua_typename(L, type),
                      luaL_typename(L, arg));
}

ph_str pl_arg_str(lua_State *L, int arg) {
  ph_str s;
  check_type(L, arg, LUA_TSTRING);
  s.at = lua_tolstring(L, arg, &s.n);
  return s;
}

ph_str pl_arg_optstr(lua_State *L, int arg) {
  return lua_isnoneornil(L, arg) ? (ph_str){"", 0} : pl_arg_str(L, arg);
}

lua_Integer pl_arg_int(lua_State *L, int arg, lua_Integer least,
                       lua_Integer most) {
  lua_Integer i;
  check_type(L, arg, LUA_TNUMBER);
  if (!lua_isinteger(L, arg))
    pl_error_plainarg(L, arg, "integer expected, got %s",
                      pl_error_tostring(L, arg));
  i = lua_tointeger(L, arg);
  if (i < least || i > most)
    pl_error_plainarg(L, arg, "%I is not in %I .. %I", (LUAI_UACINT)i,
                      (LUAI_UACINT)least, (LUAI_UACINT)most);
  return i;
}

ph_type pl_arg_type(lua_State *L, pl_funcobj *h, int arg) {
  ph_str name;
  ph_type type;
  if (lua_type(L, arg) != LUA_TSTRING)
    pl_error_arg(L, h, arg, "name of a type expected, got %g", arg);
  name = pl_arg_str(L, arg);
  if (!ph_type_find(h->f, name, &type))
    pl_error_arg(L, h, arg, "unknown type '%S'", name);
  return type;
}

ph_op pl_arg_op(lua_State *L, pl_funcobj *h, int arg) {
  ph_str name = pl_arg_str(L, arg);
  ph_op op;
  if (ph_op_find(h->f, name, &op)) return op;
  pl_error_arg(L, h, arg, "unknown op '%S'%s", name, pl_suggest_op(L, h, name));
  return PH_NONE;
}

bool pl_arg_isident(ph_str s) {
  for (size_t i = 0; i < s.n; i++) {
    char c = s.at[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && (i == 0 || c < '0' || c > '9')) return false;
  }
  return s.n > 0;
}

/*
** {== Tables =========================================================
*/

void pl_arg_table(lua_State *L, int arg) { check_type(L, arg, LUA_TTABLE); }

static bool is_known(const char *name, const char *const *known, int n) {
  for (int i = 0; i < n; i++)
    if (strcmp(name, known[i]) == 0) return true;
  return false;
}

static void unknown_field(lua_State *L, int arg, const char *const *known,
                          int n) {
  luaL_Buffer b;
  pl_error_tostring(L, -1);
  luaL_buffinit(L, &b);
  for (int i = 0; i < n; i++) {
    if (i > 0) luaL_addstring(&b, ", ");
    luaL_addstring(&b, known[i]);
  }
  luaL_pushresult(&b);
  pl_error_plainarg(L, arg, "unknown option '%s'; there are: %s",
                    lua_tostring(L, -2), lua_tostring(L, -1));
}

void pl_arg_fields(lua_State *L, int arg, const char *const *known, int n) {
  if (lua_isnoneornil(L, arg)) return;
  check_type(L, arg, LUA_TTABLE);
  for (lua_pushnil(L); lua_next(L, arg) != 0;) {
    lua_pop(L, 1);
    if (lua_type(L, -1) != LUA_TSTRING ||
        !is_known(lua_tostring(L, -1), known, n))
      unknown_field(L, arg, known, n);
  }
}

int pl_arg_field(lua_State *L, int arg, const char *name) {
  if (lua_isnoneornil(L, arg)) {
    lua_pushnil(L);
    return LUA_TNIL;
  }
  lua_pushstring(L, name);
  return lua_rawget(L, arg);
}

bool pl_arg_boolopt(lua_State *L, int arg, const char *name) {
  if (lua_type(L, -1) != LUA_TBOOLEAN)
    pl_error_plainarg(L, arg, "option '%s': boolean expected, got %s", name,
                      luaL_typename(L, -1));
  return lua_toboolean(L, -1);
}

/* Pushes the choices as an error message lists them: "a", "b" or "c". */
static void list_choices(lua_State *L, const char *const *choices, int n) {
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (int i = 0; i < n; i++) {
    if (i > 0) luaL_addstring(&b, i < n - 1 ? ", " : " or ");
    luaL_addchar(&b, '"');
    luaL_addstring(&b, choices[i]);
    luaL_addchar(&b, '"');
  }
  luaL_pushresult(&b);
}

static void wrong_choice(lua_State *L, int arg, const char *name,
                         const char *const *choices, int n) {
  pl_error_tostring(L, -1);
  list_choices(L, choices, n);
  pl_error_plainarg(L, arg, "option '%s': %s expected, got %s", name,
                    lua_tostring(L, -1), lua_tostring(L, -2));
}

int pl_arg_choiceopt(lua_State *L, int arg, const char *name,
                     const char *const *choices, int n) {
  const char *got = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
  int choice = 0;
  while (got != NULL && choice < n && strcmp(got, choices[choice]) != 0)
    choice++;
  if (got == NULL || choice == n) wrong_choice(L, arg, name, choices, n);
  return choice;
}

int pl_arg_choice(lua_State *L, int arg, const char *name,
                  const char *const *choices, int n) {
  int choice = 0;
  if (pl_arg_field(L, arg, name) != LUA_TNIL)
    choice = pl_arg_choiceopt(L, arg, name, choices, n);
  lua_pop(L, 1);
  return choice;
}

/* }=================================================================== */
