/* srcloc.c: source locations as arguments, results and fields of a table. */
#include "binding/state/srcloc.h"

#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"

static void push_file(lua_State *L, pl_funcobj *h, uint32_t file) {
  ph_str s = ph_intern_string(pl_access_read(L, h), file);
  lua_pushlstring(L, s.at, s.n);
}

static void push_number(lua_State *L, uint32_t n) {
  if (n != 0)
    lua_pushinteger(L, n);
  else
    lua_pushnil(L);
}

/* An optional line or column at `arg`, at least `least`. */
static uint32_t take_number(lua_State *L, int arg, int least) {
  if (lua_isnoneornil(L, arg)) return 0;
  return (uint32_t)pl_arg_int(L, arg, least, UINT32_MAX);
}

ph_srcloc pl_srcloc_take(lua_State *L, ph_str *file) {
  ph_srcloc loc = {0};
  loc.line = take_number(L, 2, 1);
  loc.col = take_number(L, 3, 0);
  *file = pl_arg_optstr(L, 4);
  loc.end_line = take_number(L, 5, 1);
  loc.end_col = take_number(L, 6, 0);
  if (loc.end_line == 0 && loc.end_col != 0) loc.end_line = loc.line;
  if (loc.end_line != 0 && loc.line == 0)
    pl_error_plainarg(L, 2, "the line of the beginning expected, got nil");
  if (!ph_srcloc_isrange(loc))
    pl_error_plainarg(L, loc.end_line == loc.line ? 6 : 5,
                      "the end precedes the beginning");
  return loc;
}

int pl_srcloc_push(lua_State *L, pl_funcobj *h, ph_srcloc loc) {
  push_number(L, loc.line);
  if (loc.line == 0) return 1;
  push_number(L, loc.col);
  if (loc.file != 0)
    push_file(L, h, loc.file);
  else
    lua_pushnil(L);
  if (loc.end_line == 0) return 3;
  push_number(L, loc.end_line);
  push_number(L, loc.end_col);
  return 5;
}

int pl_srcloc_pushplace(lua_State *L, pl_funcobj *h, ph_srcloc loc) {
  lua_pushnil(L);
  if (loc.line == 0) return 1;
  push_file(L, h, loc.file);
  lua_pushfstring(L, "%s:%d", lua_tostring(L, -1), (int)loc.line);
  lua_replace(L, -3);
  lua_pop(L, 1);
  return 1;
}

void pl_srcloc_setplace(lua_State *L, pl_funcobj *h, ph_srcloc loc) {
  pl_srcloc_pushplace(L, h, loc);
  lua_setfield(L, -2, "place");
}

static void set_number(lua_State *L, const char *name, uint32_t n) {
  if (n == 0) return;
  lua_pushinteger(L, n);
  lua_setfield(L, -2, name);
}

void pl_srcloc_pushtable(lua_State *L, ph_srcloc loc) {
  lua_createtable(L, 0, loc.end_line != 0 ? 5 : 3);
  set_number(L, "line", loc.line);
  set_number(L, "col", loc.col);
  set_number(L, "end_line", loc.end_line);
  set_number(L, "end_col", loc.end_col);
}

void pl_srcloc_setloc(lua_State *L, pl_funcobj *h, ph_srcloc loc) {
  if (loc.line == 0) return;
  pl_srcloc_pushtable(L, loc);
  if (loc.file != 0) {
    push_file(L, h, loc.file);
    lua_setfield(L, -2, "file");
  }
  lua_setfield(L, -2, "loc");
}
