/* emit.c: instructions: a method for each op, emit for those of dialects, and
** Lua's operators.
**
** All ops share one C function for blocks and one for values; an upvalue tells
** which op was called.
*/
#include <string.h>

#include "binding/args/operand.h"
#include "binding/emit/emission.h"
#include "binding/emit/terminator.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Ops ============================================================
*/

/* Takes the operands from stack index `first` to `last`; the last one is the
** result type, if the op is given one. */
static void take_operands(lua_State *L, pl_emission *e, int first, int last,
                          int number) {
  bool says =
      e->said == NULL && (e->spec != NULL ? e->spec->result == PH_SAIDTYPE
                                          : ph_op_needstype(e->h->f, e->op));
  int n = last - first + 1 - says;
  if (n < 0 || (n == 0 && says && pl_operand_lackstype(L, e->op, last)))
    pl_operand_refuseuntyped(L, e->h, e->op);
  if (says && (e->op != PH_CALL || lua_toboolean(L, last)))
    e->type = pl_arg_type(L, e->h, last);
  pl_operand_room(L, &e->operands, first, n, number);
}

/* Takes operands from `first` on and an optional table with data; number: as in
** pl_operand_room. */
static int emit_rest(lua_State *L, pl_emission *e, int first, int number) {
  int last = pl_emission_takedata(L, e, first);
  take_operands(L, e, first, last, number);
  return pl_emission_run(L, e);
}

static ph_op own_op(lua_State *L) {
  return (ph_op)lua_tointeger(L, lua_upvalueindex(PL_UP_OPNUM));
}

static int l_blockop(lua_State *L) {
  pl_emission e;
  pl_emission_start(L, &e, 0, -1);
  e.op = own_op(L);
  return emit_rest(L, &e, 2, 1);
}

static int l_valueop(lua_State *L) {
  pl_emission e;
  pl_emission_startcurrent(L, &e, 1);
  e.op = own_op(L);
  return emit_rest(L, &e, 1, 0);
}

/* }== Ops with methods of their own ================================== */

/* Takes the name, on top, of the function whose signature the call has, which
** becomes the data. */
static void take_signature(lua_State *L, pl_emission *e) {
  int name = lua_gettop(L);
  if (lua_type(L, name) != LUA_TSTRING)
    pl_error_arg(L, e->h, e->top,
                 "option 'as': the name of a function expected, got %g", name);
  if (e->data != 0)
    pl_error_arg(L, e->h, e->top,
                 "option 'as' says whether the function is variadic, so option "
                 "'variadic' cannot");
  e->callee_at = pl_symbol_resolve(L, pl_emission_owner(L, e), name);
  e->callee = pl_callee_signature(L, e->callee_at);
  if (e->callee_at != name && e->callee == NULL)
    pl_error_arg(L, e->h, e->top, "option 'as': '%s' is not a function",
                 lua_tostring(L, name));
  e->data = name;
}

/* Takes the table after the arguments: {variadic = n} or {as = name}, and
** classes. */
static void take_options(lua_State *L, pl_emission *e) {
  static const char *const known[] = {"variadic", "as", "reads", "writes"};
  pl_arg_fields(L, e->top, known, 4);
  if (pl_arg_field(L, e->top, known[0]) != LUA_TNIL) {
    lua_Integer n = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : -1;
    if (n < 0 || n > e->top - 4)
      pl_error_arg(
          L, e->h, e->top,
          "option 'variadic': the number of parameters expected, from 0 "
          "to %d, got %g",
          e->top - 4, lua_gettop(L));
    e->data = lua_gettop(L);
  }
  if (pl_arg_field(L, e->top, known[1]) != LUA_TNIL) take_signature(L, e);
  pl_access_again(L, e->h);
  pl_classes_take(L, e->h, PH_CALL_INDIRECT, e->top, &e->classes);
  e->top--;
}

/* Takes an address at stack index 2, the type of the result, and arguments.
** The address changes places with the type, so that operands follow one
** another. */
static int call_indirect(lua_State *L, pl_emission *e) {
  ph_value p;
  lua_settop(L, e->top < 3 ? 3 : e->top);
  if (e->top > 3 && lua_istable(L, e->top)) take_options(L, e);
  pl_operand_take(L, e->h, 2, PH_PTR, (ph_var){0}, &p);
  e->op = PH_CALL_INDIRECT;
  pl_emission_takeresult(L, e, 3);
  lua_pushvalue(L, 2);
  lua_replace(L, 3);
  pl_operand_room(L, &e->operands, 3, e->top > 3 ? e->top - 2 : 1, 2);
  return pl_emission_run(L, e);
}

/* block:call(callee, type, ...) */
static int l_call(lua_State *L) {
  pl_emission e;
  pl_emission_start(L, &e, 0, -1);
  lua_settop(L, e.top); /* argument 2 may be missing */
  if (pl_emission_isoperand(L, 2)) return call_indirect(L, &e);
  pl_emission_takecallee(L, &e, 2, 3);
  pl_emission_takeclasses(L, &e, 4);
  pl_operand_room(L, &e.operands, 4, e.top > 3 ? e.top - 3 : 0, 3);
  return pl_emission_run(L, &e);
}

/* block:alloca(type or size[, align]); of a function, in the entry */
static int l_alloca(lua_State *L) {
  pl_emission e;
  pl_emission_start(L, &e, 1, 2);
  if (e.fn != 0) e.b = ph_block_entry(e.h->f);
  pl_emission_takealloca(L, &e, 2, e.top);
  return pl_emission_run(L, &e);
}

/* block:address(global, function or name) */
static int l_address(lua_State *L) {
  pl_emission e;
  pl_emission_start(L, &e, 1, 1);
  pl_emission_takeaddress(L, &e, 2, e.top);
  return pl_emission_run(L, &e);
}

/* The function whose signature call v has, if it is known; leaves it on the
** stack. */
static const pl_funcobj *find_callee(lua_State *L, pl_emission *e, ph_value v) {
  ph_op op = ph_value_op(e->h->f, v);
  int fn = pl_emission_owner(L, e), at;
  if (op != PH_CALL && op != PH_CALL_INDIRECT) return NULL;
  pl_payload_push(L, e->h, fn, ph_value_data(e->h->f, v));
  at = lua_gettop(L);
  if (lua_type(L, at) == LUA_TSTRING) at = pl_symbol_resolve(L, fn, at);
  pl_emission_open(L, e);
  return pl_callee_signature(L, at);
}

/* Returns the type of result `index` of v, from 1; none: nothing says it. */
static ph_type further_type(lua_State *L, pl_emission *e, ph_value v,
                            int index) {
  const pl_funcobj *callee = find_callee(L, e, v);
  int n;
  v = pl_handle_argvalue(L, e->h, 2);
  n = callee != NULL ? (int)ph_func_nresults(callee->f)
                     : ph_op_nresults(e->h->f, ph_value_op(e->h->f, v));
  if (index > n) pl_error_arg(L, e->h, 3, "'%v' has no result %d", v, index);
  if (callee == NULL)
    return ph_op_resulttype(e->h->f, ph_value_op(e->h->f, v),
                            ph_value_type(e->h->f, v), index - 1);
  return pl_callee_type(e->h, callee,
                        ph_func_resulttype(callee->f, (uint32_t)index - 1));
}

/* block:proj(value, index, type) */
static int l_proj(lua_State *L) {
  pl_emission e;
  ph_value v;
  ph_type type;
  int index;
  pl_emission_start(L, &e, 3, 3);
  v = pl_handle_argvalue(L, e.h, 2);
  index = (int)pl_arg_int(L, 3, 2, UINT16_MAX);
  type = further_type(L, &e, v, index);
  v = pl_handle_argvalue(L, e.h, 2);
  e.op = PH_PROJ;
  e.data = 3;
  e.type = pl_arg_type(L, e.h, 4);
  if (type != PH_NOTYPE && e.type != type)
    pl_error_arg(L, e.h, 4, "%t expected, as '%v' has it, got %t", type, v,
                 e.type);
  pl_operand_room(L, &e.operands, 2, 1, 1);
  return pl_emission_run(L, &e);
}

/* }== Ops by name or handle ========================================== */

/* Counts the targets among the arguments up to `last`. */
static int count_targets(lua_State *L, const pl_emission *e, int last) {
  int nargs = ph_op_nargs(e->h->f, e->op);
  int want = ph_op_ntargets(e->h->f, e->op);
  int n = 0;
  if (nargs != PH_VARIADIC && want != PH_VARIADIC && last - 2 == nargs + want)
    return want;
  while (last - n > 2 &&
         pl_userdata_kind(L, e->h->module, last - n, PL_KIND_BLOCK) != NULL)
    n++;
  return n;
}

/* Takes operands, targets and an optional table with targets and data. */
static int emit_end(lua_State *L, pl_emission *e) {
  bool has_extra;
  int last, m;
  while (lua_isnil(L, e->top)) e->top--;
  has_extra = e->top > 2 && lua_istable(L, e->top);
  last = e->top - has_extra;
  m = count_targets(L, e, last);
  pl_operand_room(L, &e->operands, 3, last - 2 - m, 1);
  return pl_terminator_run(L, e, last + 1 - m, m, has_extra ? e->top : 0);
}

/* block:emit(op, ...) */
static int l_emit(lua_State *L) {
  pl_emission e;
  pl_emission_start(L, &e, 1, -1);
  pl_emission_takeop(L, &e, 2);
  return pl_emission_endsblock(&e) ? emit_end(L, &e) : emit_rest(L, &e, 3, 1);
}

/* }== Operators ======================================================
**
** The op depends on the type: + is add or fadd.  An operator that has no
** meaning on a type, or more than one, raises an error with a hint.
*/

typedef struct {
  const char *event;
  ph_op on_ints, on_floats; /* PH_NONE: none */
  const char *hint;
} operator_row;

static const operator_row operators[] = {
#define PH_INFIX(sign, precedence, event, on_ints, on_floats, hint) \
  {event, PH_##on_ints, PH_##on_floats, hint},
#define PH_PREFIX(sign, event, on_ints, on_floats) \
  {event, PH_##on_ints, PH_##on_floats, ""},
#include "phial/infix.def"
};

/* `event` is one of those that have l_operator. */
static const operator_row *find_operator(const char *event) {
  const operator_row *r = operators;
  while (strcmp(r->event, event) != 0) r++;
  return r;
}

static int no_op(lua_State *L, pl_funcobj *h, const operator_row *r, ph_value v,
                 ph_type type) {
  const char *sign = pl_error_sign(r->event);
  const char *hint = ph_type_isint(type) ? r->hint : "";
  if (pl_operand_isvar(v))
    return pl_error(L, h, "no '%s' on %t '%x'%s", sign, type, pl_operand_var(v),
                    hint);
  return pl_error(L, h, "no '%s' on %t '%v'%s", sign, type, v, hint);
}

/* The op for the operand at `self`. */
static ph_op choose_op(lua_State *L, pl_funcobj *h, int self) {
  const operator_row *r =
      find_operator(lua_tostring(L, lua_upvalueindex(PL_UP_NAME)));
  ph_value v;
  ph_type type = pl_operand_take(L, h, self, PH_NOTYPE, (ph_var){0}, &v);
  ph_op op = ph_type_isfloat(type) ? r->on_floats
             : ph_type_isint(type) ? r->on_ints
                                   : PH_NONE;
  if (op == PH_NONE) no_op(L, h, r, v, type);
  return op;
}

/* Lua passes the operand of a unary operator twice. */
static int l_operator(lua_State *L) {
  int self = pl_emission_isoperand(L, 1) ? 1 : 2;
  pl_emission e;
  if (self == 2 && !pl_emission_isoperand(L, 2))
    pl_error_plain(L, "no phial.Value or phial.Variable among the operands");
  lua_settop(L, 2);
  pl_emission_startcurrent(L, &e, self);
  e.op = choose_op(L, e.h, self);
  pl_operand_room(L, &e.operands, 1, ph_op_nargs(e.h->f, e.op), 1);
  return pl_emission_run(L, &e);
}

/* }=================================================================== */

const pl_method pl_emit_methods[] = {
    {PL_OF_POSITION, PL_EACH_OP, l_blockop},
    {PL_OF_VALUE | PL_OF_VAR, PL_EACH_OP, l_valueop},
    {PL_OF_POSITION, "call", l_call},
    {PL_OF_POSITION, "alloca", l_alloca},
    {PL_OF_POSITION, "address", l_address},
    {PL_OF_POSITION, "proj", l_proj},
    {PL_OF_POSITION, "emit", l_emit},
#define PH_INFIX(sign, precedence, event, on_ints, on_floats, hint) \
  {PL_OF_VALUE | PL_OF_VAR, event, l_operator},
#define PH_PREFIX(sign, event, on_ints, on_floats) \
  {PL_OF_VALUE | PL_OF_VAR, event, l_operator},
#include "phial/infix.def"
    {0},
};
