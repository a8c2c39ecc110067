/* literal.c: Lua booleans, numbers and strings as constants.
**
** A literal takes the type that is expected where it appears.  Integers fit
** integer types with them in range, ptr, and float types that represent them
** exactly; floats fit float types only; type any takes everything except nil.
*/
#include "binding/args/literal.h"

#include <string.h>

bool pl_literal_is(lua_State *L, int arg) {
  int type = lua_type(L, arg);
  return type == LUA_TNUMBER || type == LUA_TBOOLEAN || type == LUA_TSTRING;
}

ph_type pl_literal_alone(lua_State *L, int arg) {
  switch (lua_type(L, arg)) {
    case LUA_TNUMBER:
      return lua_isinteger(L, arg) ? PH_I64 : PH_F64;
    case LUA_TBOOLEAN:
      return PH_I1;
    default:
      return PH_ANY;
  }
}

static bool is_exact(lua_Integer i, ph_type type) {
  double d = (double)i;
  if (type == PH_F32) d = (double)(float)i;
  return d >= -0x1p63 && d < 0x1p63 && (lua_Integer)d == i;
}

bool pl_literal_fits(lua_State *L, int arg, ph_type type) {
  bool is_integer = lua_isinteger(L, arg);
  if (type == PH_ANY) return true;
  switch (lua_type(L, arg)) {
    case LUA_TBOOLEAN:
      return type == PH_I1;
    case LUA_TNUMBER:
      if (ph_type_isint(type) || type == PH_PTR)
        return is_integer && ph_const_fits(type, lua_tointeger(L, arg));
      return ph_type_isfloat(type) &&
             (!is_integer || is_exact(lua_tointeger(L, arg), type));
    default:
      return false;
  }
}

/* A constant of type any. */
static ph_value value_any(lua_State *L, ph_func *f, int arg) {
  ph_data data = {0, PH_DATA_NIL};
  ph_str s;
  double d;
  switch (lua_type(L, arg)) {
    case LUA_TBOOLEAN:
      data = (ph_data){(uint64_t)lua_toboolean(L, arg), PH_DATA_BOOL};
      break;
    case LUA_TNUMBER:
      if (lua_isinteger(L, arg)) {
        data = (ph_data){(uint64_t)lua_tointeger(L, arg), PH_DATA_INT};
        break;
      }
      d = lua_tonumber(L, arg);
      data.tag = PH_DATA_FLOAT;
      memcpy(&data.bits, &d, sizeof d);
      break;
    case LUA_TSTRING:
      s.at = lua_tolstring(L, arg, &s.n);
      data = (ph_data){ph_intern_add(f, s), PH_DATA_STR};
      break;
  }
  return ph_const_any(f, data);
}

ph_value pl_literal_value(lua_State *L, ph_func *f, int arg, ph_type type) {
  if (type == PH_ANY) return value_any(L, f, arg);
  if (lua_type(L, arg) == LUA_TBOOLEAN)
    return ph_const_int(f, type, lua_toboolean(L, arg));
  if (!ph_type_isfloat(type))
    return ph_const_int(f, type, lua_tointeger(L, arg));
  return ph_const_float(f, type, lua_tonumber(L, arg));
}

lua_Integer pl_literal_wrap(ph_type type, lua_Integer i) {
  int unused = 64 - ph_type_width(type);
  if (type == PH_I1) return i & 1;
  return (lua_Integer)((uint64_t)i << unused) >> unused;
}

void pl_literal_push(lua_State *L, const ph_func *f, ph_type type,
                     ph_data data) {
  double d;
  ph_str s;
  switch (data.tag) {
    case PH_DATA_BOOL:
      lua_pushboolean(L, data.bits != 0);
      break;
    case PH_DATA_INT:
      if (type == PH_I1)
        lua_pushboolean(L, data.bits != 0);
      else
        lua_pushinteger(L, (lua_Integer)data.bits);
      break;
    case PH_DATA_FLOAT:
      memcpy(&d, &data.bits, sizeof d);
      lua_pushnumber(L, d);
      break;
    case PH_DATA_STR:
      s = ph_intern_string(f, (uint32_t)data.bits);
      lua_pushlstring(L, s.at, s.n);
      break;
    default:
      lua_pushnil(L);
  }
}
