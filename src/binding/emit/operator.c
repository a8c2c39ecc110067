/* operator.c: Lua's operators on values; they emit into the block of fn:at.
**
** The op depends on the type: + is add or fadd.  An operator that has no
** meaning on a type, or more than one, raises an error with a hint.
*/
#include <string.h>

#include "binding/args/operand.h"
#include "binding/emit/emission.h"
#include "binding/emit/emit.h"
#include "binding/emit/position.h"
#include "binding/state/access.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

typedef struct {
  const char *event;
  ph_op on_ints, on_floats; /* PH_NONE: none */
  const char *hint;
} row;

static const row rows[] = {
    {"__add", PH_ADD, PH_FADD, ""},
    {"__sub", PH_SUB, PH_FSUB, ""},
    {"__mul", PH_MUL, PH_FMUL, ""},
    {"__div", PH_NONE, PH_FDIV, ": use v:sdiv(w) or v:udiv(w)"},
    {"__idiv", PH_NONE, PH_NONE, ": use v:sdiv(w) or v:udiv(w)"},
    {"__mod", PH_NONE, PH_NONE, ": use v:srem(w) or v:urem(w)"},
    {"__band", PH_BAND, PH_NONE, ""},
    {"__bor", PH_BOR, PH_NONE, ""},
    {"__bxor", PH_BXOR, PH_NONE, ""},
    {"__shl", PH_SHL, PH_NONE, ""},
    {"__shr", PH_SHR, PH_NONE, ""},
    {"__unm", PH_NEG, PH_FNEG, ""},
    {"__bnot", PH_BNOT, PH_NONE, ""},
};

/* `event` is one of those that have l_operator. */
static const row *find_row(const char *event) {
  const row *r = rows;
  while (strcmp(r->event, event) != 0) r++;
  return r;
}

static ph_op choose(lua_State *L, pl_funcobj *h, ph_value v) {
  const row *r = find_row(lua_tostring(L, lua_upvalueindex(PL_UP_NAME)));
  ph_type type = ph_value_type(h->f, v);
  ph_op op = ph_op_isfloat(type) ? r->on_floats
             : ph_op_isint(type) ? r->on_ints
                                 : PH_NONE;
  if (op == PH_NONE)
    pl_error(L, h, "no '%s' on %t '%v'%s", pl_error_sign(r->event), type, v,
             ph_op_isint(type) ? r->hint : "");
  return op;
}

/* Lua passes the operand of a unary operator twice. */
static int l_operator(lua_State *L) {
  int self = pl_userdata_test(L, 1, PL_UP_VALUE) != NULL ? 1 : 2;
  pl_handle *me = pl_userdata_test(L, self, PL_UP_VALUE);
  pl_emission e;
  if (me == NULL) pl_error_plain(L, "no phial.Value among the operands");
  lua_settop(L, 2);
  pl_emission_start(L, &e);
  e.h = me->owner;
  e.fn = pl_handle_pushowner(L, self);
  pl_access_open(L, e.h);
  e.op = choose(L, e.h, pl_handle_argvalue(L, e.h, self));
  e.b = pl_position_at(L, e.h);
  e.type = PH_NOTYPE;
  e.data = 0;
  pl_operand_room(L, &e.operands, 1, ph_op_nargs(e.h->f, e.op), 1);
  return pl_emit_run(L, &e);
}

const pl_method pl_operator_methods[] = {
    {PL_OF_VALUE, "__add", l_operator},  {PL_OF_VALUE, "__sub", l_operator},
    {PL_OF_VALUE, "__mul", l_operator},  {PL_OF_VALUE, "__div", l_operator},
    {PL_OF_VALUE, "__idiv", l_operator}, {PL_OF_VALUE, "__mod", l_operator},
    {PL_OF_VALUE, "__band", l_operator}, {PL_OF_VALUE, "__bor", l_operator},
    {PL_OF_VALUE, "__bxor", l_operator}, {PL_OF_VALUE, "__shl", l_operator},
    {PL_OF_VALUE, "__shr", l_operator},  {PL_OF_VALUE, "__unm", l_operator},
    {PL_OF_VALUE, "__bnot", l_operator}, {0},
};
