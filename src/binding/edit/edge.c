/* edge.c: methods that change the edges of a finished function. */
#include "binding/args/operand.h"
#include "binding/args/phi_inputs.h"
#include "binding/emit/terminator.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Which edge =====================================================
*/

static int no_edge(lua_State *L, pl_funcobj *h, ph_block b, ph_block t,
                   int arg) {
  if (ph_edge_isinert(h->f, b) && ph_block_isdead(h->f, b))
    pl_error_arg(L, h, arg, "'%b' is dead: it does not lead to '%b'", b, t);
  if (ph_edge_isinert(h->f, b))
    pl_error(L, h,
             "finish has cut edges from '%b', which was unreachable: end it "
             "anew, at block:back()",
             b);
  return pl_error_arg(L, h, arg, "'%b' does not lead to '%b'", b, t);
}

/* Returns the number of edges from b to t; an error if none exist. */
static uint32_t count_edges(lua_State *L, pl_funcobj *h, ph_block b, ph_block t,
                            int arg) {
  uint32_t count = ph_edge_count(h->f, b, t);
  if (count == 0 || ph_edge_isinert(h->f, b)) no_edge(L, h, b, t, arg);
  return count;
}

/* Returns which of the edges from b to t is meant, from 0: if there are
** several, argument `arg` + 1 is its number, from 1. */
static uint32_t take_nth(lua_State *L, pl_funcobj *h, ph_block b, ph_block t,
                         int arg) {
  uint32_t count = count_edges(L, h, b, t, arg);
  if (!lua_isnoneornil(L, arg + 1))
    return (uint32_t)pl_arg_int(L, arg + 1, 1, count) - 1;
  if (count > 1)
    pl_error(L, h, "%d edges lead from '%b' to '%b': say which one, 1 to %d",
             (int)count, b, t, (int)count);
  return 0;
}

/* }== Edges ========================================================== */

/* block:retarget(from, to, phis) */
static int l_retarget(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_KIND_BLOCK, 2, 3);
  pl_funcobj *h = me->owner;
  pl_phi_inputs in;
  ph_block b, from, to;
  pl_access_edit(L, h);
  pl_phi_inputs_take(L, &in, 4, 4);
  pl_access_edit(L, h);
  b = pl_handle_block(L, me);
  from = pl_handle_argblock(L, h, 2);
  to = pl_handle_argblock(L, h, 3);
  count_edges(L, h, b, from, 2);
  if (ph_same(from, to)) pl_error_arg(L, h, 3, "'%b' leads there", b);
  pl_terminator_checktarget(L, h, b, to);
  pl_phi_inputs_check(L, h, b, &in, &to, 1);
  pl_access_beginhere(L, h, "retargeting", b, PL_WHERE_BLOCKS);
  pl_phi_inputs_make(L, h->f, &in);
  ph_edge_retarget(h->f, b, from, to, in.at, in.n);
  return pl_access_done(L, h, 0);
}

static ph_type check_key(lua_State *L, pl_funcobj *h, ph_block b, ph_value v) {
  ph_type type = ph_value_type(h->f, ph_value_arg(h->f, v, 0));
  lua_Integer key;
  if (!lua_isinteger(L, 3))
    pl_error_arg(L, h, 3, "integer expected as key of '%i', got %g", v, 3);
  key = lua_tointeger(L, 3);
  if (!ph_const_fits(type, key))
    pl_error_arg(L, h, 3, "%g does not fit %t", 3, type);
  if (ph_edge_haskey(h->f, b, key))
    pl_error_arg(L, h, 3, "'%i' has key %g already", v, 3);
  return type;
}

/* Checks argument 3, the condition or key of a further edge from b; returns its
** type. */
static ph_type check_when(lua_State *L, pl_funcobj *h, ph_block b) {
  ph_value v = ph_block_terminator(h->f, b);
  switch (ph_value_op(h->f, v)) {
    case PH_JUMP:
      if (lua_isnil(L, 3))
        pl_error_arg(L, h, 3, "i1 expected: when is it not '%i'", v);
      return pl_operand_typed(L, h, 3, PH_I1, (ph_var){0});
    case PH_SWITCH:
      return check_key(L, h, b, v);
    default:
      if (ph_op_ntargets(h->f, ph_value_op(h->f, v)) != PH_VARIADIC)
        pl_error(L, h,
                 "'%i' takes no further target: end block '%b' anew, at "
                 "block:back()",
                 v, b);
      if (!lua_isnil(L, 3))
        pl_error_arg(L, h, 3, "nil expected for '%i', got %g", v, 3);
      return PH_NOTYPE;
  }
}

/* block:add_edge(target, when, phis) */
static int l_add_edge(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_KIND_BLOCK, 1, 3);
  pl_funcobj *h = me->owner;
  pl_phi_inputs in;
  ph_block b, to;
  ph_type type;
  ph_value when = {0};
  pl_access_edit(L, h);
  lua_settop(L, 4);
  pl_phi_inputs_take(L, &in, 4, 4);
  pl_access_edit(L, h);
  b = pl_handle_block(L, me);
  to = pl_handle_argblock(L, h, 2);
  if (ph_edge_isinert(h->f, b)) no_edge(L, h, b, to, 2);
  pl_terminator_checktarget(L, h, b, to);
  type = check_when(L, h, b);
  pl_phi_inputs_check(L, h, b, &in, &to, 1);
  pl_access_beginhere(L, h, "adding an edge from", b, PL_WHERE_BLOCKS);
  pl_phi_inputs_make(L, h->f, &in);
  if (type != PH_NOTYPE) when = pl_operand_one(L, h->f, 3, type);
  ph_edge_add(h->f, b, when, to, in.at, in.n);
  return pl_access_done(L, h, 0);
}

/* block:remove_edge(target, nth) */
static int l_remove_edge(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_KIND_BLOCK, 1, 2);
  pl_funcobj *h = me->owner;
  ph_block b, to;
  uint32_t nth;
  lua_settop(L, 3);
  pl_access_edit(L, h);
  b = pl_handle_block(L, me);
  to = pl_handle_argblock(L, h, 2);
  nth = take_nth(L, h, b, to, 2);
  ph_value v = ph_block_terminator(h->f, b);
  ph_op op = ph_value_op(h->f, v);
  if (op >= PH_OPS && ph_op_ntargets(h->f, op) != PH_VARIADIC)
    pl_error(L, h,
             "'%i' has a fixed number of targets: end block '%b' anew, at "
             "block:back()",
             v, b);
  pl_access_beginhere(L, h, "removing an edge from", b, PL_WHERE_BLOCKS);
  ph_edge_remove(h->f, b, to, nth);
  return pl_access_done(L, h, 0);
}

/* }== Blocks ========================================================= */

/* block:split_edge(to, nth, name) */
static int l_split_edge(lua_State *L) {
  const pl_handle *me = pl_arg_method(L, PL_KIND_BLOCK, 1, 3);
  pl_funcobj *h = me->owner;
  ph_str name;
  ph_block b, to;
  pl_handle *it;
  uint32_t nth;
  pl_access_edit(L, h);
  name = pl_arg_optstr(L, 4);
  lua_settop(L, 4);
  it = pl_handle_prepare(L, h, 0, PL_KIND_BLOCK);
  pl_access_edit(L, h);
  b = pl_handle_block(L, me);
  to = pl_handle_argblock(L, h, 2);
  nth = take_nth(L, h, b, to, 2);
  pl_access_beginhere(L, h, "splitting an edge from", b, PL_WHERE_BLOCKS);
  b = ph_edge_split(h->f, b, to, nth, name);
  pl_handle_settle(L, it, PL_KIND_BLOCK, 5, b.id);
  return pl_access_done(L, h, 1);
}

/* block:merge(): the block that follows becomes part of this one */
static int l_merge(lua_State *L) {
  const pl_handle *me = pl_arg_only(L, PL_KIND_BLOCK);
  pl_funcobj *h = me->owner;
  ph_block b;
  pl_access_edit(L, h);
  b = pl_handle_block(L, me);
  if (!ph_edge_canmerge(h->f, b)) {
    ph_value last = ph_block_terminator(h->f, b);
    ph_block to;
    if (ph_value_op(h->f, last) != PH_JUMP)
      pl_error(L, h,
               "block '%b' ends with '%i': only what a jump leads to merges", b,
               last);
    to = ph_block_succ(h->f, b, 0);
    if (ph_edge_isinert(h->f, b)) no_edge(L, h, b, to, 0);
    if (ph_same(b, to)) pl_error(L, h, "block '%b' leads to itself", b);
    pl_error(L, h, "block '%b' has other predecessors than '%b'", to, b);
  }
  pl_access_begin(h, "merging", b);
  ph_edge_merge(h->f, b);
  return pl_access_done(L, h, 0);
}

/* }=================================================================== */

const pl_method pl_edge_methods[] = {
    {PL_OF_BLOCK, "retarget", l_retarget},
    {PL_OF_BLOCK, "add_edge", l_add_edge},
    {PL_OF_BLOCK, "remove_edge", l_remove_edge},
    {PL_OF_BLOCK, "split_edge", l_split_edge},
    {PL_OF_BLOCK, "merge", l_merge},
    {0},
};
