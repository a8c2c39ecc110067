/* srcloc.c: source locations as fields of a table. */
#include "binding/state/srcloc.h"

#include "binding/state/access.h"

static void push_file(lua_State *L, pl_funcobj *h, uint32_t file) {
  ph_str s = ph_intern_string(pl_access_read(L, h), file);
  lua_pushlstring(L, s.at, s.n);
}

void pl_srcloc_setplace(lua_State *L, pl_funcobj *h, ph_srcloc loc) {
  if (loc.line == 0) return;
  push_file(L, h, loc.file);
  lua_pushfstring(L, "%s:%d", lua_tostring(L, -1), (int)loc.line);
  lua_setfield(L, -3, "place");
  lua_pop(L, 1);
}

void pl_srcloc_setloc(lua_State *L, pl_funcobj *h, ph_srcloc loc) {
  if (loc.line == 0) return;
  lua_createtable(L, 0, 3);
  lua_pushinteger(L, loc.line);
  lua_setfield(L, -2, "line");
  if (loc.col != 0) {
    lua_pushinteger(L, loc.col);
    lua_setfield(L, -2, "col");
  }
  if (loc.file != 0) {
    push_file(L, h, loc.file);
    lua_setfield(L, -2, "file");
  }
  lua_setfield(L, -2, "loc");
}
