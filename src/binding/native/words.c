/* words.c: Lua values as words of 64 bits. */
#include <string.h>

#include "binding/args/payload.h"
#include "binding/native/words.h"
#include "binding/state/floats.h"

ph_type pl_word_type(char letter) {
  static const char letters[] = "-bcsilfd"; /* in the order of types */
  if (letter == 'p') return PH_PTR;
  return (ph_type)(strchr(letters, letter) - letters);
}

/* An integer may be given with its sign or without one. */
static bool take_integer(lua_State *L, int at, ph_type type, uint64_t *word) {
  lua_Integer i = lua_tointeger(L, at);
  if (!lua_isinteger(L, at)) return false;
  if (type != PH_I64 && type != PH_PTR) {
    int width = ph_type_width(type);
    lua_Integer half = (lua_Integer)1 << (width - 1);
    if (i < -half || i >= 2 * half) return false;
  }
  *word = (uint64_t)i;
  return true;
}

bool pl_word_take(lua_State *L, int at, ph_type type, uint64_t *word) {
  if (type == PH_F32 || type == PH_F64) {
    double x = (double)lua_tonumber(L, at);
    if (!pl_literal_fits(L, at, type)) return false;
    *word = type == PH_F32 ? pl_f32_narrowed(x) : pl_f64_bits(x);
    return true;
  }
  if (type != PH_I1) return take_integer(L, at, type, word);
  *word = (uint64_t)lua_toboolean(L, at);
  return lua_isboolean(L, at);
}

void pl_word_push(lua_State *L, ph_type type, uint64_t word) {
  switch (type) {
    case PH_F64:
      lua_pushnumber(L, (lua_Number)pl_f64_of(word));
      break;
    case PH_F32:
      lua_pushnumber(L, (lua_Number)pl_f32_widened((uint32_t)word));
      break;
    case PH_I64:
    case PH_PTR:
      lua_pushinteger(L, (lua_Integer)word);
      break;
    case PH_I1:
      lua_pushboolean(L, (word & 1) != 0);
      break;
    default:
      lua_pushinteger(L, pl_literal_wrap(type, (lua_Integer)word));
      break;
  }
}
