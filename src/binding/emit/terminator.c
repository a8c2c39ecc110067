/* terminator.c: the instructions that end a block.
**
** No edge may lead to the entry, to a sealed block, or to a block that already
** has all the predecessors it was made for.  A dead block adds no edges, but
** counts as a predecessor of blocks that seal themselves.  At a cursor a block
** of a finished function gets a new terminator; then only edges to the entry
** and phis without a value are refused.
*/
#include "binding/emit/terminator.h"

#include <stdlib.h>
#include <string.h>

#include "binding/args/operand.h"
#include "binding/args/payload.h"
#include "binding/args/phi_inputs.h"
#include "binding/args/read.h"
#include "binding/emit/cursor.h"
#include "binding/rules/callback.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/message.h"
#include "binding/state/method.h"

/*
** {== Edges ==========================================================
*/

static void one_too_many(lua_State *L, pl_funcobj *h, ph_block b, ph_block t) {
  int n = ph_block_announced(h->f, t);
  pl_error(L, h,
           "block '%b' was made for %d predecessor%s%p: the edge from '%b' is "
           "one too many",
           t, n, n == 1 ? "" : "s", ph_block_hostloc(h->f, t, PH_AT_MADE), b);
}

static void check_notentry(lua_State *L, pl_funcobj *h, ph_block b,
                           ph_block t) {
  if (ph_same(t, ph_block_entry(h->f)))
    pl_error(L, h,
             "block '%b' is the entry: '%b' cannot become a predecessor of it",
             t, b);
}

static void check_target(lua_State *L, pl_funcobj *h, ph_block b, ph_block t) {
  ph_func *f = h->f;
  check_notentry(L, h, b, t);
  if (ph_block_announced(f, t) >= 0 && ph_block_awaited(f, t) == 0)
    one_too_many(L, h, b, t);
  if (ph_block_issealed(f, t) && !ph_block_addsnone(f, b))
    pl_error(L, h,
             "block '%b' is sealed%p: '%b' cannot become a predecessor of it",
             t, ph_block_hostloc(f, t, PH_AT_SEALED), b);
}

/* Checks that several of these edges are not too many for a block; sorts
** `targets`. */
static void check_several(lua_State *L, pl_funcobj *h, ph_block b,
                          ph_block *targets, uint32_t m) {
  uint32_t run = 0;
  qsort(targets, m, sizeof *targets, pl_handle_byid);
  for (uint32_t i = 0; i < m; i++) {
    run = i > 0 && ph_same(targets[i], targets[i - 1]) ? run + 1 : 1;
    if (ph_block_announced(h->f, targets[i]) >= 0 &&
        run > ph_block_awaited(h->f, targets[i]))
      one_too_many(L, h, b, targets[i]);
  }
}

void pl_terminator_checktarget(lua_State *L, pl_funcobj *h, ph_block b,
                               ph_block t) {
  check_notentry(L, h, b, t);
  if (ph_edge_isinert(h->f, t) && ph_block_isdead(h->f, t))
    pl_error(L, h,
             "block '%b' was dead when it got its terminator, which adds no "
             "edges: end it anew, at block:back(), before '%b' leads there",
             t, b);
}

/* Checks edges to m targets; spare: room for m more. */
static void check_targets(lua_State *L, pl_emission *e, const ph_block *targets,
                          ph_block *spare, uint32_t m) {
  if (ph_some(e->before)) {
    uint32_t n;
    for (uint32_t i = 0; i < m; i++)
      pl_terminator_checktarget(L, e->h, e->b, targets[i]);
    n = ph_edge_newtargets(e->h->f, e->b, targets, m, spare);
    pl_phi_inputs_check(L, e->h, e->b, &e->in, spare, n);
    return;
  }
  for (uint32_t i = 0; i < m; i++) check_target(L, e->h, e->b, targets[i]);
  if (m < 2 || (m == 2 && !ph_same(targets[0], targets[1]))) return;
  memcpy(spare, targets, m * sizeof *targets);
  check_several(L, e->h, e->b, spare, m);
}

/* }== Filling ======================================================== */

/* Checks that the block can end there. */
static void check_place(lua_State *L, pl_emission *e) {
  pl_emission_open(L, e);
  if (!ph_some(e->before))
    pl_cursor_checkend(L, e->h, e->b);
  else if (!ph_same(e->before, ph_block_terminator(e->h->f, e->b)))
    pl_error(L, e->h,
             "'%i' would be cut off: end block '%b' anew where it ends, at "
             "block:back()",
             e->before, e->b);
}

/* Starts the emission of a terminator by a method that takes `least` to `most`
** arguments (most < 0: no limit), and after them, where it makes sense, the
** operands of phis for new edges, at a cursor, or the variables that edges
** refine. */
static void start_terminator(lua_State *L, pl_emission *e, ph_op op, int least,
                             int most) {
  bool is_open = pl_emission_self(L, e), at_cursor, takes_in, takes_more;
  at_cursor = ph_some(e->before);
  takes_in = at_cursor && ph_op_row(op)->targets != 0;
  takes_more = takes_in || (!at_cursor && (op == PH_BRANCH || op == PH_SWITCH));
  if (!is_open) pl_emission_open(L, e);
  pl_emission_count(L, e, least, most + takes_more);
  e->op = op;
  if (takes_in) {
    lua_settop(L, most + 2);
    pl_phi_inputs_take(L, &e->in, most + 2, most + 2);
  } else if (takes_more && e->top - 1 > most) {
    pl_refinements_take(L, e->h, most + 2, &e->refine);
  }
  check_place(L, e);
}

/* Fills the block, once the operands are made; at a cursor, fills it anew. */
static int end_block(lua_State *L, pl_emission *e, const ph_block *targets,
                     uint32_t m) {
  pl_funcobj *h = e->h;
  ph_value v;
  if (ph_some(e->before)) {
    const ph_terminator t = {e->op, e->operands.args, (uint32_t)e->operands.n,
                             targets, m};
    pl_phi_inputs_make(L, h->f, &e->in);
    v = ph_edge_setterminator(h->f, e->b, &t, e->in.at, e->in.n);
  } else if (e->refine.n > 0) {
    ph_refined what = {e->refine.vars, e->refine.n, e->refine.split};
    v = ph_build_refine(h->f, e->b, e->op, e->operands.args,
                        (uint32_t)e->operands.n, targets, m, &what);
  } else {
    v = ph_build_fill(h->f, e->b, e->op, e->operands.args,
                      (uint32_t)e->operands.n, targets, m);
  }
  if (!ph_some(v)) return pl_callback_fail(L, h);
  if (e->data != 0 && ph_value_op(h->f, v) == e->op)
    ph_value_setdata(h->f, v, pl_emission_datum(L, e));
  pl_read_end(L, h, 0);
  return pl_access_return(L, h, 0);
}

/* All the steps after `check`. */
static int run_terminator(lua_State *L, pl_emission *e, const ph_block *targets,
                          uint32_t m) {
  pl_emission_begin(L, e, "filling", PL_WHERE_BLOCKS);
  pl_operand_make(L, e->h->f, &e->operands);
  return end_block(L, e, targets, m);
}

/* }== The usual ones ================================================= */

static int l_jump(lua_State *L) {
  pl_emission e;
  ph_block t, spare;
  start_terminator(L, &e, PH_JUMP, 1, 1);
  t = pl_handle_argblock(L, e.h, 2);
  check_targets(L, &e, &t, &spare, 1);
  pl_operand_room(L, &e.operands, 2, 0, 1);
  return run_terminator(L, &e, &t, 1);
}

/* Of a function the current block may have a terminator here. */
static int l_jump_if_open(lua_State *L) {
  const pl_handle *me = pl_userdata_test(L, 1, PL_KIND_BLOCK);
  pl_funcobj *h = me != NULL ? me->owner : pl_userdata_test(L, 1, PL_KIND_FUNC);
  ph_block b;
  bool filled;
  if (h == NULL) pl_arg_badself(L, PL_KIND_BLOCK);
  pl_arg_count(L, 1, 1);
  pl_access_open(L, h);
  pl_handle_argblock(L, h, 2);
  b = me != NULL ? pl_handle_block(L, me) : h->current;
  filled = ph_some(b) && ph_block_isfilled(h->f, b);
  if (!filled) l_jump(L);
  lua_pushboolean(L, !filled);
  return 1;
}

/* Raises an error if argument 2, on which control depends, is a Lua boolean: it
** is mostly the result of a comparison of handles. */
static void check_condition(lua_State *L, pl_funcobj *h) {
  if (lua_isboolean(L, 2))
    pl_error_arg(L, h, 2,
                 "value expected, got %g: '==' between handles gives a "
                 "boolean, use v:eq(w); the constant is fn:const(%g)",
                 2, 2);
}

static int l_branch(lua_State *L) {
  pl_emission e;
  ph_block targets[2], spare[2];
  start_terminator(L, &e, PH_BRANCH, 3, 3);
  pl_operand_room(L, &e.operands, 2, 1, 1);
  pl_emission_check(L, &e);
  if (!ph_some(e.operands.args[0])) check_condition(L, e.h);
  targets[0] = pl_handle_argblock(L, e.h, 3);
  targets[1] = pl_handle_argblock(L, e.h, 4);
  check_targets(L, &e, targets, spare, 2);
  return run_terminator(L, &e, targets, 2);
}

/* Raises an error: the function does not return n values. */
static void refuse_returned(lua_State *L, pl_funcobj *h, int n) {
  ph_type result = ph_func_result(h->f);
  int wants = (int)ph_func_nresults(h->f);
  if (wants == 0)
    pl_error(L, h, "function '%f' returns nothing: 'ret' takes no value");
  if (wants == 1)
    pl_error(L, h, "function '%f' returns %t: 'ret' needs a value", result);
  pl_error_start(L, h);
  pl_message_add(L, h, "function '%f' returns %t", result);
  for (int i = 1; i < wants; i++)
    pl_message_add(L, h, ", %t", ph_func_resulttype(h->f, (uint32_t)i));
  pl_message_add(L, h, ": 'ret' needs %d values, got %d", wants, n);
  pl_error_raise(L, h);
}

/* block:ret(...) */
static int l_ret(lua_State *L) {
  pl_emission e;
  int n, wants;
  start_terminator(L, &e, PH_RET, 0, -1);
  wants = (int)ph_func_nresults(e.h->f);
  if (wants < 2 && e.top > 2) pl_emission_refusecount(L, &e, 0, 1);
  n = e.top - 1;
  while (n > 0 && lua_isnil(L, n + 1)) n--;
  if (n != wants) refuse_returned(L, e.h, n);
  pl_operand_room(L, &e.operands, 2, n, 1);
  pl_emission_check(L, &e);
  return run_terminator(L, &e, NULL, 0);
}

static int l_unreachable(lua_State *L) {
  pl_emission e;
  start_terminator(L, &e, PH_UNREACHABLE, 0, 0);
  pl_operand_room(L, &e.operands, 2, 0, 1);
  return run_terminator(L, &e, NULL, 0);
}

/* Takes the message of a trap, at `arg`, as the datum. */
static void take_message(lua_State *L, pl_emission *e, int arg) {
  pl_payload_checkmessage(L, e->h, arg);
  e->data = arg;
}

static int l_trap(lua_State *L) {
  pl_emission e;
  start_terminator(L, &e, PH_TRAP, 1, 1);
  take_message(L, &e, 2);
  pl_operand_room(L, &e.operands, 3, 0, 1);
  pl_emission_keepdatum(L, &e);
  return run_terminator(L, &e, NULL, 0);
}

/* block:trap_if(condition, message), which ends no block */
static int l_trap_if(lua_State *L) {
  pl_emission e;
  pl_emission_start(L, &e, 2, 2);
  e.op = PH_TRAP_IF;
  check_condition(L, e.h);
  take_message(L, &e, 3);
  pl_operand_room(L, &e.operands, 2, 1, 1);
  return pl_emission_run(L, &e);
}

/* Takes the callee at 2, or the address of one, and the operands after it. */
static void take_callee(lua_State *L, pl_emission *e) {
  if (pl_emission_isoperand(L, 2)) {
    ph_value p;
    pl_operand_take(L, e->h, 2, PH_PTR, (ph_var){0}, &p);
    e->op = PH_TAIL_CALL_INDIRECT;
    pl_operand_room(L, &e->operands, 2, e->top - 1, 1);
    return;
  }
  pl_callee_checktail(L, e->h, 2);
  pl_emission_takecallee(L, e, 2, 0);
  e->op = PH_TAIL_CALL;
  pl_operand_room(L, &e->operands, 3, e->top - 2, 2);
  pl_emission_keepdatum(L, e);
}

/* block:tail_call(callee, ...) */
static int l_tail_call(lua_State *L) {
  pl_emission e;
  start_terminator(L, &e, PH_TAIL_CALL, 1, -1);
  lua_settop(L, e.top);
  take_callee(L, &e);
  check_place(L, &e);
  pl_emission_check(L, &e);
  return run_terminator(L, &e, NULL, 0);
}

/* }== Switch =========================================================
**
** Edges are ordered by the values of the keys' constants: 255 of type i8 is -1
** and precedes 0.
*/

typedef struct {
  lua_Integer key, value; /* as given; as a constant has it */
  ph_block target;
} arm;

static int by_key(const void *p, const void *q) {
  const arm *a = p, *b = q;
  return (a->value > b->value) - (a->value < b->value);
}

/* Takes the key and block on top. */
static arm take_arm(lua_State *L, pl_funcobj *h, ph_type type) {
  int top = lua_gettop(L);
  arm a = {0};
  if (!lua_isinteger(L, top - 1))
    pl_error_arg(L, h, 4, "integer keys expected, got %g", top - 1);
  a.key = lua_tointeger(L, top - 1);
  if (!ph_const_fits(type, a.key))
    pl_error_arg(L, h, 4, "key %g does not fit %t", top - 1, type);
  if (pl_userdata_test(L, top, PL_KIND_BLOCK) == NULL)
    pl_error_arg(L, h, 4, "key %g: phial.Block expected, got %g", top - 1, top);
  a.value = pl_literal_wrap(type, a.key);
  a.target = pl_handle_blockat(L, h, top, 4);
  return a;
}

/* Reads the table at 4, at most n entries; returns their number. */
static int take_arms(lua_State *L, pl_funcobj *h, ph_type type, arm *arms,
                     int n) {
  int found = 0;
  lua_pushnil(L);
  while (found < n && lua_next(L, 4) != 0) {
    arms[found++] = take_arm(L, h, type);
    lua_pop(L, 1);
  }
  qsort(arms, (size_t)found, sizeof *arms, by_key);
  for (int i = 1; i < found; i++)
    if (arms[i].value == arms[i - 1].value) {
      bool less = arms[i - 1].key < arms[i].key;
      lua_pushinteger(L, arms[less ? i - 1 : i].key);
      lua_pushinteger(L, arms[less ? i : i - 1].key);
      pl_error_arg(L, h, 4, "keys %g and %g are the same %t", -2, -1, type);
    }
  return found;
}

static int count_entries(lua_State *L, int table) {
  int n = 0;
  for (lua_pushnil(L); lua_next(L, table) != 0; lua_pop(L, 1)) n++;
  return n;
}

/* Takes the operand that is switched on. */
static ph_type take_switched(lua_State *L, pl_emission *e) {
  pl_operands *o = &e->operands;
  ph_type type =
      pl_operand_take(L, e->h, 2, PH_NOTYPE, (ph_var){0}, &o->args[0]);
  if (pl_operand_isvar(o->args[0])) {
    if (ph_some(e->before)) pl_handle_argvalue(L, e->h, 2);
    o->nvars = 1;
    o->reads = e->b;
  }
  check_condition(L, e->h);
  if (!ph_type_isint(type))
    pl_error_arg(L, e->h, 2, "integer expected, got %g", 2);
  o->types[0] = type;
  return type;
}

/* block:switch(value, default, {[key] = block}) */
static int l_switch(lua_State *L) {
  pl_emission e;
  pl_operands *o = &e.operands;
  ph_block *targets;
  ph_type type;
  arm *arms;
  int n;
  start_terminator(L, &e, PH_SWITCH, 3, 3);
  pl_arg_table(L, 4);
  n = count_entries(L, 4);
  arms = lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *arms, 0);
  targets = lua_newuserdatauv(L, ((size_t)n + 1) * 2 * sizeof *targets, 0);
  pl_operand_room(L, o, 2, n + 1, 1);
  check_place(L, &e);
  type = take_switched(L, &e);
  n = take_arms(L, e.h, type, arms, n);
  targets[0] = pl_handle_argblock(L, e.h, 3);
  for (int i = 0; i < n; i++) targets[i + 1] = arms[i].target;
  check_targets(L, &e, targets, targets + n + 1, (uint32_t)n + 1);
  o->n = 1; /* keys become constants below */
  pl_emission_begin(L, &e, "filling", PL_WHERE_BLOCKS);
  pl_operand_make(L, e.h->f, o);
  for (int i = 0; i < n; i++)
    o->args[o->n++] = ph_const_int(e.h->f, type, arms[i].key);
  return end_block(L, &e, targets, (uint32_t)n + 1);
}

/* }== Those of dialects ============================================== */

/* Target i, at stack index `at`; `arg` is the argument that errors name. */
static ph_block take_target(lua_State *L, pl_funcobj *h, int i, int at,
                            int arg) {
  pl_handle_checkitem(L, h, arg, at, PL_KIND_BLOCK, "target", (uint32_t)i + 1);
  return pl_handle_blockat(L, h, at, arg);
}

static void take_targets(lua_State *L, pl_emission *e, int first, int extra,
                         ph_block *targets, int m) {
  pl_operand_checktargets(L, e->h, e->op, e->operands.n, m);
  for (int i = 0; i < m; i++) {
    if (extra == 0) {
      targets[i] = take_target(L, e->h, i, first + i, first + i);
      continue;
    }
    lua_rawgeti(L, extra, i + 1);
    targets[i] = take_target(L, e->h, i, lua_gettop(L), extra);
    lua_pop(L, 1);
  }
}

int pl_terminator_run(lua_State *L, pl_emission *e, int first, int m,
                      int extra) {
  static const char *const fields[] = {"data", "phis"};
  int listed =
      extra == 0 ? 0
                 : (int)pl_arg_listwith(L, extra, extra, "targets", fields, 2);
  ph_block few[2 * PL_OPERANDS_FEW], *targets = few;
  if (m > 0 && listed > 0)
    pl_error_plainarg(L, extra, "targets are given before the table, too");
  m += listed;
  if (m > PL_OPERANDS_FEW)
    targets = lua_newuserdatauv(L, (size_t)m * 2 * sizeof *targets, 0);
  if (extra != 0) {
    if (pl_arg_field(L, extra, "phis") != LUA_TNIL) {
      if (!ph_some(e->before))
        pl_error_plainarg(L, extra,
                          "phis are for cursors in a finished function");
      pl_phi_inputs_take(L, &e->in, lua_gettop(L), extra);
    }
    if (pl_arg_field(L, extra, "data") != LUA_TNIL) e->data = lua_gettop(L);
  }
  pl_emission_keepdatum(L, e);
  check_place(L, e);
  pl_emission_check(L, e);
  take_targets(L, e, first, listed > 0 ? extra : 0, targets, m);
  check_targets(L, e, targets, targets + m, (uint32_t)m);
  return run_terminator(L, e, targets, (uint32_t)m);
}

/* }=================================================================== */

const pl_method pl_terminator_methods[] = {
    {PL_OF_POSITION, "jump", l_jump},
    {PL_OF_POSITION, "branch", l_branch},
    {PL_OF_POSITION, "switch", l_switch},
    {PL_OF_POSITION, "ret", l_ret},
    {PL_OF_POSITION, "unreachable", l_unreachable},
    {PL_OF_POSITION, "trap", l_trap},
    {PL_OF_POSITION, "trap_if", l_trap_if},
    {PL_OF_POSITION, "tail_call", l_tail_call},
    {PL_OF_END, "jump_if_open", l_jump_if_open},
    {0},
};
