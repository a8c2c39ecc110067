/* pointer.c: alloca, address and call_indirect, whose arguments are not those of
** other ops.
*/
#include "binding/emit/pointer.h"

#include "binding/args/operand.h"
#include "binding/args/payload.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"

/*
** {== alloca =========================================================
*/

/* The bytes of the type that `arg` names. */
static lua_Integer size_of_type(lua_State *L, pl_funcobj *h, int arg) {
  ph_type type = pl_arg_type(L, h, arg);
  if (!ph_type_isstored(type))
    pl_error_arg(L, h, arg,
                 "an integer type, a float type or ptr expected, got %t", type);
  return (ph_type_width(type) + 7) / 8;
}

static lua_Integer size_at(lua_State *L, pl_funcobj *h, int arg) {
  if (lua_type(L, arg) == LUA_TSTRING) return size_of_type(L, h, arg);
  if (!lua_isinteger(L, arg))
    pl_error_arg(L, h, arg,
                 "name of a type or constant number of bytes expected, got %g",
                 arg);
  return lua_tointeger(L, arg);
}

static lua_Integer align_at(lua_State *L, pl_funcobj *h, int arg) {
  if (!lua_isinteger(L, arg))
    pl_error_arg(L, h, arg, "constant power of two expected, got %g", arg);
  return lua_tointeger(L, arg);
}

static void check_entry(lua_State *L, const pl_emission *e) {
  ph_block b = ph_some(e->before) ? ph_value_block(e->h->f, e->before) : e->b;
  if (!ph_same(b, ph_block_entry(e->h->f)))
    pl_error(L, e->h, "an alloca belongs into the entry, not into block '%b'",
             b);
}

void pl_pointer_takealloca(lua_State *L, pl_emission *e, int first, int last) {
  lua_Integer size, align = 8;
  if (first > last)
    pl_error(L, e->h, "'alloca' needs the name of a type or a size");
  if (last > first + 1)
    pl_error(L, e->h,
             "'alloca' takes a size and an alignment, got %d arguments",
             last - first + 1);
  check_entry(L, e);
  size = size_at(L, e->h, first);
  if (lua_type(L, first) == LUA_TSTRING) align = size;
  if (last > first) align = align_at(L, e->h, last);
  switch (ph_opcheck_alloca(size, align)) {
    case PH_ALLOCA_SIZE:
      pl_error_plainarg(L, first, "%I is not in 1 .. %I", (LUAI_UACINT)size,
                        (LUAI_UACINT)PH_ALLOCA_MOST);
      break;
    case PH_ALLOCA_ALIGN:
      pl_error_plainarg(L, last, "%I is not a power of two in 1 .. %d",
                        (LUAI_UACINT)align, PH_ALIGN_MOST);
      break;
    default:
      break;
  }
  lua_pushinteger(L, size);
  lua_pushinteger(L, align);
  e->op = PH_ALLOCA;
  e->data = 0;
  pl_operand_room(L, &e->operands, lua_gettop(L) - 1, 2, 1);
}

/* }== address ======================================================== */

/* Returns the stack index of what a name at `at` means in the function's
** module, which is pushed; `at` if it is not known there, or not a name. */
static int resolve(lua_State *L, pl_emission *e, int at) {
  if (lua_type(L, at) != LUA_TSTRING) return at;
  if (lua_getiuservalue(L, pl_emission_owner(L, e), PL_ITS_SYMBOLS) !=
      LUA_TTABLE)
    return at;
  lua_pushvalue(L, at);
  return lua_rawget(L, -2) == LUA_TNIL ? at : lua_gettop(L);
}

void pl_pointer_takeaddress(lua_State *L, pl_emission *e, int first, int last) {
  if (first != last)
    pl_error(L, e->h, "'address' takes a global, a function or a name");
  pl_symbol_checkaddress(L, e->h, first);
  e->op = PH_ADDRESS;
  e->data = resolve(L, e, first);
  pl_operand_room(L, &e->operands, first, 0, 1);
}

/* }== call_indirect ================================================== */

bool pl_pointer_isindirect(lua_State *L, const pl_emission *e, int arg) {
  return pl_userdata_kind(L, e->h->module, arg, PL_UP_VALUE) != NULL ||
         pl_userdata_kind(L, e->h->module, arg, PL_UP_VAR) != NULL;
}

void pl_pointer_takecall(lua_State *L, pl_emission *e) {
  ph_value p;
  lua_settop(L, e->top < 3 ? 3 : e->top);
  pl_operand_take(L, e->h, 2, PH_PTR, (ph_var){0}, &p);
  e->op = PH_CALL_INDIRECT;
  e->data = 0;
  e->type = PH_NOTYPE;
  if (lua_toboolean(L, 3)) e->type = pl_arg_type(L, e->h, 3);
  lua_pushvalue(L, 2);
  lua_replace(L, 3);
  pl_operand_room(L, &e->operands, 3, e->top > 3 ? e->top - 2 : 1, 2);
}

/* }=================================================================== */
