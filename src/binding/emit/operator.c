/* operator.c: Lua's operators on values and variables; they emit into the block
** of fn:at.
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
#define PH_INFIX(sign, precedence, event, on_ints, on_floats, hint) \
  {event, PH_##on_ints, PH_##on_floats, hint},
#define PH_PREFIX(sign, event, on_ints, on_floats) \
  {event, PH_##on_ints, PH_##on_floats, ""},
#include "phial/infix.def"
};

/* `event` is one of those that have l_operator. */
static const row *find_row(const char *event) {
  const row *r = rows;
  while (strcmp(r->event, event) != 0) r++;
  return r;
}

static int no_op(lua_State *L, pl_funcobj *h, const row *r, ph_value v,
                 ph_type type) {
  const char *sign = pl_error_sign(r->event);
  const char *hint = ph_type_isint(type) ? r->hint : "";
  if (pl_operand_isvar(v))
    return pl_error(L, h, "no '%s' on %t '%x'%s", sign, type, pl_operand_var(v),
                    hint);
  return pl_error(L, h, "no '%s' on %t '%v'%s", sign, type, v, hint);
}

/* The op for the operand at `self`. */
static ph_op choose(lua_State *L, pl_funcobj *h, int self) {
  const row *r = find_row(lua_tostring(L, lua_upvalueindex(PL_UP_NAME)));
  ph_value v;
  ph_type type = pl_operand_take(L, h, self, PH_NOTYPE, (ph_var){0}, &v);
  ph_op op = ph_type_isfloat(type) ? r->on_floats
             : ph_type_isint(type) ? r->on_ints
                                   : PH_NONE;
  if (op == PH_NONE) no_op(L, h, r, v, type);
  return op;
}

/* The value or variable at `arg`, or NULL. */
static const pl_handle *take(lua_State *L, int arg) {
  const pl_handle *it = pl_userdata_test(L, arg, PL_UP_VALUE);
  return it != NULL ? it : pl_userdata_test(L, arg, PL_UP_VAR);
}

/* Lua passes the operand of a unary operator twice. */
static int l_operator(lua_State *L) {
  int self = take(L, 1) != NULL ? 1 : 2;
  const pl_handle *me = take(L, self);
  pl_emission e;
  if (me == NULL)
    pl_error_plain(L, "no phial.Value or phial.Variable among the operands");
  lua_settop(L, 2);
  pl_emission_start(L, &e);
  e.h = me->owner;
  e.fn = pl_handle_pushowner(L, self);
  pl_access_open(L, e.h);
  e.op = choose(L, e.h, self);
  e.b = pl_position_at(L, e.h);
  e.type = PH_NOTYPE;
  e.data = 0;
  pl_operand_room(L, &e.operands, 1, ph_op_nargs(e.h->f, e.op), 1);
  return pl_emit_run(L, &e);
}

const pl_method pl_operator_methods[] = {
#define PH_INFIX(sign, precedence, event, on_ints, on_floats, hint) \
  {PL_OF_VALUE | PL_OF_VAR, event, l_operator},
#define PH_PREFIX(sign, event, on_ints, on_floats) \
  {PL_OF_VALUE | PL_OF_VAR, event, l_operator},
#include "phial/infix.def"
    {0},
};
