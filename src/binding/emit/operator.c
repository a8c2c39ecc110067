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

static ph_op choose(lua_State *L, pl_funcobj *h, ph_value v) {
  const row *r = find_row(lua_tostring(L, lua_upvalueindex(PL_UP_NAME)));
  ph_type type = ph_value_type(h->f, v);
  ph_op op = ph_type_isfloat(type) ? r->on_floats
             : ph_type_isint(type) ? r->on_ints
                                   : PH_NONE;
  if (op == PH_NONE)
    pl_error(L, h, "no '%s' on %t '%v'%s", pl_error_sign(r->event), type, v,
             ph_type_isint(type) ? r->hint : "");
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
#define PH_INFIX(sign, precedence, event, on_ints, on_floats, hint) \
  {PL_OF_VALUE, event, l_operator},
#define PH_PREFIX(sign, event, on_ints, on_floats) \
  {PL_OF_VALUE, event, l_operator},
#include "phial/infix.def"
    {0},
};
