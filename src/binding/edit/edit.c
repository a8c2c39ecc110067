/* edit.c: methods of values that change a finished function. */
#include "binding/args/operand.h"
#include "binding/args/payload.h"
#include "binding/emit/cursor.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

static bool is_terminator(pl_funcobj *h, ph_value v) {
  return (ph_op_flags(h->f, ph_value_op(h->f, v)) & PH_TERMINATOR) != 0;
}

/*
** {== Operands =======================================================
*/

static void check_replaced(lua_State *L, pl_funcobj *h, ph_value v) {
  if (ph_value_op(h->f, v) == PH_CONST)
    pl_error(L, h, "'%v' is a constant: it is the same everywhere", v);
  if (ph_value_type(h->f, v) != PH_NOTYPE) return;
  if (ph_op_flags(h->f, ph_value_op(h->f, v)) & PH_TERMINATOR)
    pl_error(L, h,
             "'%i' has no result that could be replaced: end block '%b' anew, "
             "at block:back()",
             v, ph_value_block(h->f, v));
  pl_error(L, h,
           "'%i' has no result that could be replaced: erase it, by v:erase()",
           v);
}

/* True if instructions of that op whose first result has the type of v have the
** further result `proj`. */
static bool has_further(pl_funcobj *h, ph_op op, ph_value v, ph_value proj) {
  uint64_t index = ph_value_data(h->f, proj).bits;
  ph_type type;
  if (index > (uint64_t)ph_op_nresults(h->f, op)) return false;
  type = ph_op_resulttype(h->f, op, ph_value_type(h->f, v), (int)index - 1);
  return type == PH_NOTYPE || type == ph_value_type(h->f, proj);
}

/* The first user of v that projects a result that `by` lacks, or none. */
static ph_value find_lost(pl_funcobj *h, ph_value v, ph_op by) {
  uint32_t use = ph_uses_first(h->f, v);
  for (; use != 0; use = ph_uses_next(h->f, v, use)) {
    ph_value user = ph_uses_user(h->f, use);
    if (ph_value_op(h->f, user) == PH_PROJ && !has_further(h, by, v, user))
      return user;
  }
  return (ph_value){0};
}

static void check_results(lua_State *L, pl_funcobj *h, ph_value v, ph_op by) {
  ph_value lost;
  if (ph_op_nresults(h->f, ph_value_op(h->f, v)) < 2) return;
  pl_access_begin(h, "looking for uses in", ph_value_block(h->f, v));
  lost = find_lost(h, v, by);
  pl_access_endinner(h);
  if (ph_some(lost))
    pl_error_arg(L, h, 2, "'%i' needs a further result of '%v'", lost, v);
}

/* v:replace(w) */
static int l_replace(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_KIND_VALUE, 1, 1);
  pl_funcobj *h = me->owner;
  ph_func *f = pl_access_edit(L, h);
  ph_value v = pl_handle_value(L, me), w = {0};
  ph_type type = ph_value_type(f, v);
  check_replaced(L, h, v);
  pl_operand_typed(L, h, 2, type, (ph_var){0});
  if (!pl_literal_is(L, 2)) w = pl_handle_argvalue(L, h, 2);
  if (ph_same(v, w)) pl_error_arg(L, h, 2, "'%v' cannot replace itself", v);
  check_results(L, h, v, ph_some(w) ? ph_value_op(f, w) : PH_CONST);
  pl_access_begin(h, "replacing uses in", ph_value_block(f, v));
  ph_edit_replace(f, v, pl_operand_one(L, f, 2, type));
  return pl_access_done(L, h, 0);
}

/* True if operand i can have this type without changing the result type; fills
** `types` with the types of all operands. */
static bool can_be(pl_funcobj *h, ph_value v, uint32_t i, ph_type type,
                   ph_type *types) {
  ph_func *f = h->f;
  uint32_t n = ph_value_nargs(f, v);
  ph_type result = ph_value_type(f, v);
  if (type == ph_value_type(f, ph_value_arg(f, v, i))) return true;
  if (type == PH_NOTYPE || ph_value_op(f, v) == PH_PHI ||
      ph_value_op(f, v) == PH_PROJ)
    return false;
  for (uint32_t k = 0; k < n; k++)
    types[k] = k == i ? type : ph_value_type(f, ph_value_arg(f, v, k));
  return ph_opcheck_types(f, ph_value_op(f, v), types, (int)n, &result).kind ==
             PH_FITS &&
         result == ph_value_type(f, v);
}

/* Takes argument 2, the number of an operand; returns it counted from 0. */
static uint32_t take_index(lua_State *L, pl_funcobj *h, ph_value v) {
  uint32_t n = ph_value_nargs(h->f, v), i;
  if (n == 0) pl_error(L, h, "'%i' has no operands", v);
  if (ph_value_op(h->f, v) == PH_ALLOCA)
    pl_error(L, h, "the size and alignment of '%i' do not change", v);
  i = (uint32_t)pl_arg_int(L, 2, 1, n) - 1;
  if (ph_value_op(h->f, v) == PH_SWITCH && i > 0)
    pl_error_arg(L, h, 2, "operand %d of '%i' is a key: it belongs to an edge",
                 (int)i + 1, v);
  return i;
}

/* Checks that argument 3 has the result that v, a further result, is. */
static void check_result(lua_State *L, pl_funcobj *h, ph_value v) {
  ph_value w;
  bool has = !pl_literal_is(L, 3);
  if (has) {
    w = pl_handle_argvalue(L, h, 3);
    has = has_further(h, ph_value_op(h->f, w), w, v);
  }
  if (!has)
    pl_error_arg(L, h, 3, "'%w' has no result %d of type %t", 3,
                 (int)ph_value_data(h->f, v).bits, ph_value_type(h->f, v));
}

/* v:set_arg(i, w) */
static int l_set_arg(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_KIND_VALUE, 2, 2);
  pl_funcobj *h = me->owner;
  ph_func *f = pl_access_edit(L, h);
  ph_value v = pl_handle_value(L, me);
  uint32_t n = ph_value_nargs(f, v), i;
  ph_type *types = lua_newuserdatauv(L, (n + 1) * sizeof *types, 0);
  ph_type old, type;
  pl_access_edit(L, h);
  v = pl_handle_value(L, me);
  i = take_index(L, h, v);
  old = ph_value_type(f, ph_value_arg(f, v, i));
  type = pl_literal_is(L, 3) ? pl_operand_typed(L, h, 3, old, (ph_var){0})
                             : ph_value_type(f, pl_handle_argvalue(L, h, 3));
  if (ph_value_nargs(f, v) != n)
    pl_error(L, h, "the operands of '%v' change", v);
  if (!can_be(h, v, i, type, types))
    pl_error_arg(L, h, 3, "%t expected, got %g", old, 3);
  if (ph_value_op(f, v) == PH_PROJ) check_result(L, h, v);
  pl_access_begin(h, "setting an operand in", ph_value_block(f, v));
  ph_edit_setarg(f, v, i, pl_operand_one(L, f, 3, type));
  pl_access_end(h);
  lua_settop(L, 1);
  return pl_access_return(L, h, 1);
}

/* }== Erasing ======================================================== */

/* v:erase() */
static int l_erase(lua_State *L) {
  pl_handle *me = pl_arg_only(L, PL_KIND_VALUE);
  pl_funcobj *h = me->owner;
  ph_func *f = pl_access_edit(L, h);
  ph_value v = pl_handle_value(L, me);
  ph_block b = ph_value_block(h->f, v);
  ph_value user;
  if (!ph_some(b))
    pl_error(L, h, "'%v' is not an instruction: it cannot be erased", v);
  if (is_terminator(h, v))
    pl_error(L, h, "'%i' ends block '%b': end it anew, at block:back()", v, b);
  pl_access_begin(h, "looking for uses in", b);
  user = ph_edit_otheruser(h->f, v);
  pl_access_endinner(h);
  if (ph_some(user))
    pl_error(L, h, "'%v' is used by '%i' in block '%b': it cannot be erased", v,
             user, ph_value_block(h->f, user));
  pl_access_begin(h, "erasing a value in", ph_value_block(f, v));
  ph_edit_erase(f, v);
  return pl_access_done(L, h, 0);
}

/* }== Moving ========================================================= */

static ph_value check_moved(lua_State *L, pl_funcobj *h, const pl_handle *me) {
  ph_value v = pl_handle_value(L, me);
  ph_block b = ph_value_block(h->f, v);
  if (!ph_some(b))
    pl_error(L, h, "'%v' is not an instruction: it cannot be moved", v);
  if (ph_value_op(h->f, v) == PH_PHI)
    pl_error(L, h, "'%v' is a phi of block '%b': it cannot be moved", v, b);
  if (is_terminator(h, v))
    pl_error(L, h, "'%i' ends block '%b': it cannot be moved", v, b);
  return v;
}

typedef ph_value side(lua_State *L, pl_funcobj *h, ph_value v);

/* Moves a value to one side of argument 2, which `side_of` determines. */
static int move_beside(lua_State *L, side *side_of) {
  pl_handle *me = pl_arg_method(L, PL_KIND_VALUE, 1, 1);
  pl_funcobj *h = me->owner;
  ph_func *f = pl_access_edit(L, h);
  ph_value v = check_moved(L, h, me), w = pl_handle_argvalue(L, h, 2), at;
  if (ph_same(v, w)) pl_error_arg(L, h, 2, "it is '%v' itself", v);
  at = side_of(L, h, w);
  if (ph_value_op(f, v) == PH_ALLOCA &&
      !ph_same(ph_value_block(f, at), ph_block_entry(f)))
    pl_error_arg(L, h, 2,
                 "it is in block '%b': an alloca belongs into the entry",
                 ph_value_block(f, at));
  pl_access_begin(h, "moving a value to", ph_value_block(f, at));
  ph_edit_move(f, v, at);
  return pl_access_done(L, h, 0);
}

static int l_move_before(lua_State *L) {
  return move_beside(L, pl_cursor_before);
}

static int l_move_after(lua_State *L) {
  return move_beside(L, pl_cursor_after);
}

/* }=================================================================== */

const pl_method pl_edit_methods[] = {
    {PL_OF_VALUE, "replace", l_replace},
    {PL_OF_VALUE, "set_arg", l_set_arg},
    {PL_OF_VALUE, "erase", l_erase},
    {PL_OF_VALUE, "move_before", l_move_before},
    {PL_OF_VALUE, "move_after", l_move_after},
    {0},
};
