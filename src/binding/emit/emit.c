/* emit.c: instructions: a method for each op, emit for those of dialects.
**
** All ops share one C function for blocks and one for values; an upvalue tells
** which op was called.
*/
#include "binding/emit/emit.h"

#include "binding/args/operand.h"
#include "binding/args/payload.h"
#include "binding/emit/cursor.h"
#include "binding/emit/pointer.h"
#include "binding/emit/position.h"
#include "binding/emit/terminator.h"
#include "binding/rules/callback.h"
#include "binding/rules/ruleset.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Emitting =======================================================
*/

/* An alloca may come after the terminator of the entry. */
static void check(lua_State *L, pl_emission *e) {
  if (e->op == PH_ALLOCA && !ph_some(e->before))
    pl_access_open(L, e->h);
  else
    pl_cursor_check(L, e);
  pl_emission_check(L, e);
  if (e->data != 0 && e->op == PH_COPY)
    pl_error(L, e->h, "a copy cannot be given data");
  if (e->data != 0 && ph_op_namesvar(e->op))
    pl_error(L, e->h, "op '%o' cannot be given data", e->op);
}

/* Gives the n handles from stack index `at` on, the first of which is `it`, to
** v and its further results; values after `last` have no handle yet. */
static void settle(lua_State *L, pl_emission *e, pl_handle *it, int at, int n,
                   ph_value v, uint32_t last) {
  for (int i = 0; i < n; i++) {
    ph_value result = i == 0 ? v : pl_emission_makeproj(e, v, i + 1);
    if (i > 0) it = lua_touserdata(L, at + i);
    if (result.id > last)
      pl_handle_settle(L, it, PL_UP_VALUE, at + i, result.id);
    else
      pl_handle_found(L, it, PL_UP_VALUE, at + i, result.id);
  }
}

int pl_emit_run(lua_State *L, pl_emission *e) {
  pl_funcobj *h = e->h;
  int n = pl_emission_countresults(L, e), at;
  uint32_t last, handles;
  pl_handle *it = NULL;
  ph_value v;
  if (e->data != 0 || h->rules != NULL || h->undef_policy == PL_UNDEF_CALL)
    pl_emission_owner(L, e);
  pl_emission_keep(L, e);
  at = lua_gettop(L) + 1;
  if (n > 1) luaL_checkstack(L, n + 16, NULL);
  if (n > 0) it = pl_handle_prepare(L, h, e->fn, PL_UP_VALUE);
  for (int i = 1; i < n; i++) pl_handle_prepare(L, h, e->fn, PL_UP_VALUE);
  check(L, e);
  pl_operand_read(L, h, &e->operands, e->fn);
  last = ph_value_count(h->f);
  handles = h->nhandles;
  pl_ruleset_begin(L, h, e->fn);
  pl_access_begin(h, "emitting into", e->b);
  pl_emission_place(L, e);
  v = pl_emission_make(L, e);
  if (!ph_some(v)) return pl_callback_fail(L, h);
  if (h->nhandles != handles) last = UINT32_MAX; /* by an action */
  if (n > 0) settle(L, e, it, at, n, v, last);
  pl_access_end(h);
  return pl_access_return(L, h, n);
}

/* }== Reading the arguments ========================================== */

/* True if the argument at `last` cannot be a type since it is the only one. An
** op of a dialect may have no operands. */
static bool lacks_type(lua_State *L, const pl_emission *e, int last) {
  if (e->op == PH_CALL) return false;
  return e->op < PH_OPS || lua_type(L, last) != LUA_TSTRING;
}

/* Takes the operands from stack index `first` to `last`; the last one is the
** result type, if the op is given one. */
static void take_operands(lua_State *L, pl_emission *e, int first, int last,
                          int number) {
  bool says = e->spec != NULL ? e->spec->result == PH_SAIDTYPE
                              : ph_op_needstype(e->h->f, e->op);
  int n = last - first + 1 - says;
  if (n < 0 || (n == 0 && says && lacks_type(L, e, last)))
    pl_error(L, e->h,
             "'%o' needs the type of its result: a type's name as "
             "last argument",
             e->op);
  e->type = PH_NOTYPE;
  if (says && (e->op != PH_CALL || lua_toboolean(L, last)))
    e->type = pl_arg_type(L, e->h, last);
  pl_operand_room(L, &e->operands, first, n, number);
}

/* Takes operands from `first` on and an optional table with data; number: as in
** pl_operand_room. */
static int emit_rest(lua_State *L, pl_emission *e, int first, int number) {
  int last = pl_emission_takedata(L, e, first);
  take_operands(L, e, first, last, number);
  e->operands.spec = e->spec;
  return pl_emit_run(L, e);
}

static void check_count(lua_State *L, pl_emission *e, int least, int most) {
  if (e->top > least && (most < 0 || e->top <= most + 1)) return;
  lua_settop(L, e->top);
  pl_arg_count(L, least, most);
  e->top = lua_gettop(L);
}

static int l_blockop(lua_State *L) {
  pl_emission e;
  pl_cursor_start(L, &e);
  pl_cursor_enter(L, &e);
  e.op = (ph_op)lua_tointeger(L, lua_upvalueindex(PL_UP_OPNUM));
  return emit_rest(L, &e, 2, 1);
}

static int l_valueop(lua_State *L) {
  pl_emission e;
  const pl_handle *me = pl_userdata_test(L, 1, PL_UP_VAR);
  if (me == NULL) me = pl_arg_self(L, PL_UP_VALUE);
  pl_emission_start(L, &e);
  e.h = me->owner;
  pl_access_open(L, e.h);
  e.b = pl_position_at(L, e.h);
  e.op = (ph_op)lua_tointeger(L, lua_upvalueindex(PL_UP_OPNUM));
  return emit_rest(L, &e, 1, 0);
}

static int call_indirect(lua_State *L, pl_emission *e) {
  pl_pointer_takecall(L, e);
  return pl_emit_run(L, e);
}

/* block:call(callee, type, ...) */
static int l_call(lua_State *L) {
  pl_emission e;
  pl_cursor_start(L, &e);
  lua_settop(L, e.top); /* argument 2 may be missing */
  pl_cursor_enter(L, &e);
  if (pl_pointer_isindirect(L, &e, 2)) return call_indirect(L, &e);
  pl_emission_takecallee(L, &e, 2, 3);
  pl_operand_room(L, &e.operands, 4, e.top > 3 ? e.top - 3 : 0, 3);
  e.operands.callee = e.callee;
  return pl_emit_run(L, &e);
}

/* block:call_indirect(p, type, ...) */
static int l_call_indirect(lua_State *L) {
  pl_emission e;
  pl_cursor_start(L, &e);
  check_count(L, &e, 1, -1);
  pl_cursor_enter(L, &e);
  return call_indirect(L, &e);
}

/* block:alloca(type or size[, align]) */
static int l_alloca(lua_State *L) {
  pl_emission e;
  pl_cursor_start(L, &e);
  check_count(L, &e, 1, 2);
  pl_cursor_enter(L, &e);
  pl_pointer_takealloca(L, &e, 2, e.top);
  return pl_emit_run(L, &e);
}

/* block:address(global, function or name) */
static int l_address(lua_State *L) {
  pl_emission e;
  pl_cursor_start(L, &e);
  check_count(L, &e, 1, 1);
  pl_cursor_enter(L, &e);
  pl_pointer_takeaddress(L, &e, 2, e.top);
  return pl_emit_run(L, &e);
}

/* block:proj(value, index, type) */
static int l_proj(lua_State *L) {
  pl_emission e;
  ph_value v;
  int index;
  pl_cursor_start(L, &e);
  check_count(L, &e, 3, 3);
  pl_cursor_enter(L, &e);
  v = pl_handle_argvalue(L, e.h, 2);
  index = (int)pl_arg_int(L, 3, 2, UINT16_MAX);
  if (index > ph_op_nresults(e.h->f, ph_value_op(e.h->f, v)))
    pl_error_arg(L, e.h, 3, "'%v' has no result %d", v, index);
  e.op = PH_PROJ;
  e.data = 3;
  e.type = pl_arg_type(L, e.h, 4);
  if (e.type != ph_value_type(e.h->f, v))
    pl_error_arg(L, e.h, 4, "%t expected like '%v', got %t",
                 ph_value_type(e.h->f, v), v, e.type);
  pl_operand_room(L, &e.operands, 2, 1, 1);
  return pl_emit_run(L, &e);
}

/* Counts the targets among the arguments up to `last`. */
static int count_targets(lua_State *L, const pl_emission *e, int last) {
  int nargs = ph_op_nargs(e->h->f, e->op);
  int want = ph_op_ntargets(e->h->f, e->op);
  int n = 0;
  if (nargs != PH_VARIADIC && want != PH_VARIADIC && last - 2 == nargs + want)
    return want;
  while (last - n > 2 &&
         pl_userdata_kind(L, e->h->module, last - n, PL_UP_BLOCK) != NULL)
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
  e->operands.spec = e->spec;
  return pl_terminator_run(L, e, last + 1 - m, m, has_extra ? e->top : 0);
}

/* block:emit(op, ...) */
static int l_emit(lua_State *L) {
  pl_emission e;
  pl_cursor_start(L, &e);
  check_count(L, &e, 1, -1);
  pl_cursor_enter(L, &e);
  pl_emission_takeop(L, &e, 2);
  return pl_emission_endsblock(&e) ? emit_end(L, &e) : emit_rest(L, &e, 3, 1);
}

/* }=================================================================== */

const pl_method pl_emit_methods[] = {
    {PL_OF_POSITION, PL_EACH_OP, l_blockop},
    {PL_OF_VALUE | PL_OF_VAR, PL_EACH_OP, l_valueop},
    {PL_OF_POSITION, "call", l_call},
    {PL_OF_POSITION, "call_indirect", l_call_indirect},
    {PL_OF_POSITION, "alloca", l_alloca},
    {PL_OF_POSITION, "address", l_address},
    {PL_OF_POSITION, "proj", l_proj},
    {PL_OF_POSITION, "emit", l_emit},
    {0},
};
