/* word.c: Lua values as words of 64 bits, which native functions take and give.
 */
#include "binding/native/word.h"

#include <string.h>

static uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

static double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/*
** {== f32 ============================================================
**
** Converting a nan would make it a quiet one: its bits are moved instead.
*/

enum { MOVED = 52 - 23 };
#define INFINITE32 0x7f800000u
#define PAYLOAD32 0x007fffffu
#define QUIET32 0x00400000u

static uint64_t bits_of_f32(double x) {
  uint64_t bits = bits_of(x), payload = (bits >> MOVED) & PAYLOAD32;
  float narrow = (float)x;
  uint32_t small;
  if (x != x)
    return (bits >> 63 << 31) | INFINITE32 | (payload != 0 ? payload : QUIET32);
  memcpy(&small, &narrow, sizeof small);
  return small;
}

static double from_bits_of_f32(uint32_t small) {
  uint64_t sign = (uint64_t)(small >> 31) << 63, payload = small & PAYLOAD32;
  float x;
  if ((small & INFINITE32) == INFINITE32 && payload != 0)
    return from_bits(sign | UINT64_C(0x7ff) << 52 | payload << MOVED);
  memcpy(&x, &small, sizeof x);
  return (double)x;
}

/* }== From Lua ======================================================= */

/* True if x, which an integer was converted to, is still that integer. */
static bool is_exact(lua_Integer i, double x) {
  return x >= -0x1p63 && x < 0x1p63 && (lua_Integer)x == i;
}

static bool take_float(lua_State *L, int at, ph_type type, uint64_t *word) {
  double x = (double)lua_tonumber(L, at);
  if (lua_type(L, at) != LUA_TNUMBER) return false;
  if (lua_isinteger(L, at)) {
    lua_Integer i = lua_tointeger(L, at);
    if (!is_exact(i, type == PH_F32 ? (double)(float)x : x)) return false;
  }
  *word = type == PH_F32 ? bits_of_f32(x) : bits_of(x);
  return true;
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
  if (type == PH_F32 || type == PH_F64) return take_float(L, at, type, word);
  if (type != PH_I1) return take_integer(L, at, type, word);
  *word = (uint64_t)lua_toboolean(L, at);
  return lua_isboolean(L, at);
}

/* }== To Lua ========================================================= */

static lua_Integer sign_extended(uint64_t word, int width) {
  uint64_t sign = UINT64_C(1) << (width - 1), mask = sign | (sign - 1);
  return (lua_Integer)(((word & mask) ^ sign) - sign);
}

void pl_word_push(lua_State *L, ph_type type, uint64_t word) {
  switch (type) {
    case PH_F64:
      lua_pushnumber(L, (lua_Number)from_bits(word));
      break;
    case PH_F32:
      lua_pushnumber(L, (lua_Number)from_bits_of_f32((uint32_t)word));
      break;
    case PH_I64:
    case PH_PTR:
      lua_pushinteger(L, (lua_Integer)word);
      break;
    case PH_I1:
      lua_pushboolean(L, (word & 1) != 0);
      break;
    default:
      lua_pushinteger(L, sign_extended(word, ph_type_width(type)));
      break;
  }
}

/* }=================================================================== */
