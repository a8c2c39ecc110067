/* terminator.c: the instructions that end a block, but for switch.
**
** Besides the operands, the edges are checked: no edge leads to the entry, to
** a sealed block, or to a block that has all the predecessors it was made
** for.  A dead block adds no edges, but counts for blocks that seal
** themselves.  At a cursor a block of a finished function is ended anew; then
** only the entry, and phis that lack a value, are in the way.
*/
#include <stdlib.h>
#include <string.h>

#include "binding/state/arg.h"
#include "binding/emit/emit.h"
#include "binding/state/errors.h"
#include "binding/state/handle.h"
#include "binding/state/funcobj.h"
#include "binding/methods/module.h"
#include "binding/rules/ruleset.h"

/*
** {== Edges ==========================================================
*/

static void one_too_many(lua_State *L, ph_host *h, ph_block b, ph_block t) {
  int n = ph_ir_announced(h->f, t);
  ph_fail(L, h,
          "block '%b' was made for %d predecessor%s%p: the edge from '%b' is "
          "one too many",
          t, n, n == 1 ? "" : "s", ph_place_block(h->f, t, PH_AT_MADE), b);
}

static void check_target(lua_State *L, ph_host *h, ph_block b, ph_block t) {
  ph_func *f = h->f;
  if (ph_same(t, ph_ir_entry(f)))
    ph_fail(L, h,
            "block '%b' is the entry: '%b' cannot become a predecessor of it",
            t, b);
  if (ph_ir_announced(f, t) >= 0 && ph_ir_awaited(f, t) == 0)
    one_too_many(L, h, b, t);
  if (ph_ir_sealed(f, t) && !ph_ir_dead(f, b))
    ph_fail(L, h,
            "block '%b' is sealed%p: '%b' cannot become a predecessor of it", t,
            ph_place_block(f, t, PH_AT_SEALED), b);
}

static int by_id(const void *p, const void *q) {
  const ph_block *a = p, *b = q;
  return (a->id > b->id) - (a->id < b->id);
}

/* Do several of these edges overfill a block?  Sorts `targets`. */
static void check_several(lua_State *L, ph_host *h, ph_block b,
                          ph_block *targets, uint32_t m) {
  uint32_t run = 0;
  qsort(targets, m, sizeof *targets, by_id);
  for (uint32_t i = 0; i < m; i++) {
    run = i > 0 && ph_same(targets[i], targets[i - 1]) ? run + 1 : 1;
    if (ph_ir_announced(h->f, targets[i]) >= 0 &&
        run > ph_ir_awaited(h->f, targets[i]))
      one_too_many(L, h, b, targets[i]);
  }
}

/* At a cursor. */
static void check_news(lua_State *L, ph_emission *e, const ph_block *targets,
                       ph_block *spare, uint32_t m) {
  uint32_t n;
  for (uint32_t i = 0; i < m; i++)
    ph_edge_checktarget(L, e->h, e->b, targets[i]);
  n = ph_edge_news(e->h->f, e->b, targets, m, spare);
  ph_incoming_check(L, e->h, e->b, &e->in, spare, n);
}

void ph_terminator_check(lua_State *L, ph_emission *e, const ph_block *targets,
                         ph_block *spare, uint32_t m) {
  if (ph_some(e->before)) {
    check_news(L, e, targets, spare, m);
    return;
  }
  for (uint32_t i = 0; i < m; i++) check_target(L, e->h, e->b, targets[i]);
  if (m < 2 || (m == 2 && !ph_same(targets[0], targets[1]))) return;
  memcpy(spare, targets, m * sizeof *targets);
  check_several(L, e->h, e->b, spare, m);
}

/* }== Filling ======================================================== */

void ph_terminator_place(lua_State *L, ph_emission *e) {
  ph_cursor_check(L, e);
  if (ph_some(e->before) &&
      !ph_same(e->before, ph_ir_terminator(e->h->f, e->b)))
    ph_fail(L, e->h,
            "'%i' would be cut off: end block '%b' anew where it ends, at "
            "block:back()",
            e->before, e->b);
}

void ph_terminator_start(lua_State *L, ph_emission *e, ph_op op, int least,
                         int most) {
  bool takes_in;
  int n;
  ph_cursor_start(L, e);
  n = e->top - 1;
  e->op = op;
  e->type = PH_NOTYPE;
  e->data = 0;
  e->in.n = 0;
  e->in.at = NULL;
  takes_in = ph_some(e->before) && op != PH_RET && op != PH_UNREACHABLE;
  if (n < least || n > most + takes_in) {
    lua_settop(L, e->top);
    ph_arg_count(L, least, most + takes_in);
  }
  if (takes_in) {
    lua_settop(L, most + 2);
    ph_incoming_take(L, &e->in, most + 2, most + 2);
  }
  ph_terminator_place(L, e);
}

void ph_terminator_begin(lua_State *L, ph_emission *e) {
  if (e->h->rules != NULL) ph_hook_begin(L, e->h, ph_handle_pushowner(L, 1));
  ph_host_begin(e->h, "filling", e->b);
  ph_host_here(L, e->h, PH_WHERE_BLOCKS);
}

int ph_terminator_end(lua_State *L, ph_emission *e, const ph_block *targets,
                      uint32_t m) {
  ph_host *h = e->h;
  ph_value v;
  if (ph_some(e->before)) {
    ph_incoming_make(L, h->f, &e->in);
    v = ph_edge_end(h->f, e->b, e->op, e->operands.args,
                    (uint32_t)e->operands.n, targets, m, e->in.at, e->in.n);
  } else {
    v = ph_build_fill(h->f, e->b, e->op, e->operands.args,
                      (uint32_t)e->operands.n, targets, m);
  }
  if (!ph_some(v)) return ph_hook_fail(L, h);
  if (e->data != 0 && ph_ir_op(h->f, v) == e->op)
    ph_ir_setdata(h->f, v, ph_data_of(L, h, e->data));
  ph_host_end(h);
  if (h->policy == PH_POLICY_CALL)
    ph_host_settle(L, h, ph_handle_pushowner(L, 1));
  return ph_host_done(L, h, 0);
}

/* All is checked. */
static int fill(lua_State *L, ph_emission *e, const ph_block *targets,
                uint32_t m) {
  ph_terminator_begin(L, e);
  ph_operand_make(L, e->h->f, &e->operands);
  return ph_terminator_end(L, e, targets, m);
}

/* }== The usual ones ================================================= */

static int l_jump(lua_State *L) {
  ph_emission e;
  ph_block t, spare;
  ph_terminator_start(L, &e, PH_JUMP, 1, 1);
  t = ph_handle_argblock(L, e.h, 2);
  ph_terminator_check(L, &e, &t, &spare, 1);
  ph_operand_room(L, &e.operands, 2, 0, 1);
  return fill(L, &e, &t, 1);
}

static int l_jump_if_open(lua_State *L) {
  ph_handle *me = ph_handle_method(L, PH_UP_BLOCK, 1, 1);
  bool filled;
  ph_host_open(L, me->host);
  ph_handle_argblock(L, me->host, 2);
  filled = ph_ir_filled(me->host->f, ph_handle_block(L, me));
  if (!filled) l_jump(L);
  lua_pushboolean(L, !filled);
  return 1;
}

static int l_branch(lua_State *L) {
  ph_emission e;
  ph_block targets[2], spare[2];
  ph_terminator_start(L, &e, PH_BRANCH, 3, 3);
  ph_operand_room(L, &e.operands, 2, 1, 1);
  ph_operand_check(L, e.h, &e.operands, e.op, &e.type);
  targets[0] = ph_handle_argblock(L, e.h, 3);
  targets[1] = ph_handle_argblock(L, e.h, 4);
  ph_terminator_check(L, &e, targets, spare, 2);
  return fill(L, &e, targets, 2);
}

static void check_result(lua_State *L, ph_host *h, int n) {
  ph_type result = ph_func_result(h->f);
  if (n == 0 && result != PH_NOTYPE)
    ph_fail(L, h, "function '%f' returns %t: 'ret' needs a value", result);
  if (n == 1 && result == PH_NOTYPE)
    ph_fail(L, h, "function '%f' returns nothing: 'ret' takes no value");
}

static int l_ret(lua_State *L) {
  ph_emission e;
  int n = !lua_isnoneornil(L, 2);
  ph_terminator_start(L, &e, PH_RET, 0, 1);
  check_result(L, e.h, n);
  ph_operand_room(L, &e.operands, 2, n, 1);
  ph_operand_check(L, e.h, &e.operands, e.op, &e.type);
  return fill(L, &e, NULL, 0);
}

static int l_unreachable(lua_State *L) {
  ph_emission e;
  ph_terminator_start(L, &e, PH_UNREACHABLE, 0, 0);
  ph_operand_room(L, &e.operands, 2, 0, 1);
  return fill(L, &e, NULL, 0);
}

const luaL_Reg ph_terminator_methods[] = {{"jump", l_jump},
                                          {"branch", l_branch},
                                          {"ret", l_ret},
                                          {"unreachable", l_unreachable},
                                          {NULL, NULL}};
const luaL_Reg ph_terminator_blockmethods[] = {{"jump_if_open", l_jump_if_open},
                                               {NULL, NULL}};

/* }== Those of dialects ============================================== */

/* {block, ..., data =, phis =} */
static void check_extra(lua_State *L, int extra) {
  lua_Integer n = (lua_Integer)lua_rawlen(L, extra);
  for (lua_pushnil(L); lua_next(L, extra) != 0; lua_pop(L, 1)) {
    bool is_target = lua_isinteger(L, -2) && lua_tointeger(L, -2) >= 1 &&
                     lua_tointeger(L, -2) <= n;
    bool is_field = lua_type(L, -2) == LUA_TSTRING &&
                    (strcmp(lua_tostring(L, -2), "data") == 0 ||
                     strcmp(lua_tostring(L, -2), "phis") == 0);
    if (!is_target && !is_field)
      ph_fail_plainarg(L, extra, "a list of targets, and data, expected");
  }
}

/* What is in the table of targets besides. */
static void take_fields(lua_State *L, ph_emission *e, int extra) {
  check_extra(L, extra);
  if (ph_arg_field(L, extra, "phis") != LUA_TNIL) {
    if (!ph_some(e->before))
      ph_fail_plainarg(L, extra, "phis are for cursors in a finished function");
    ph_incoming_take(L, &e->in, lua_gettop(L), extra);
  }
  if (ph_arg_field(L, extra, "data") != LUA_TNIL) e->data = lua_gettop(L);
}

static void check_ntargets(lua_State *L, const ph_emission *e, int m) {
  int want = ph_op_ntargets(e->h->f, e->op);
  if (want != PH_VARIADIC && want != m)
    ph_fail(L, e->h, "'%o' has %d target%s, got %d", e->op, want,
            want == 1 ? "" : "s", m);
}

/* Target i lies at `at` and came with argument `arg`. */
static ph_block take_target(lua_State *L, ph_host *h, int i, int at, int arg) {
  const ph_handle *t = ph_handle_kind(L, h->module, at, PH_UP_BLOCK);
  if (t == NULL)
    ph_fail_arg(L, h, arg, "target %d: phial.Block expected, got %g", i + 1,
                at);
  if (t->host == h && !ph_ir_removed(h->f, (ph_block){t->id}))
    return (ph_block){t->id};
  return ph_handle_blockat(L, h, at, arg); /* tells what is wrong */
}

static void take_targets(lua_State *L, ph_emission *e, int first, int extra,
                         ph_block *targets, int m) {
  check_ntargets(L, e, m);
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

int ph_terminator_run(lua_State *L, ph_emission *e, int first, int m,
                      int extra) {
  int listed = extra != 0 ? (int)lua_rawlen(L, extra) : 0;
  ph_block few[2 * PH_OPERANDS_FEW], *targets = few;
  if (m > 0 && listed > 0)
    ph_fail_plainarg(L, extra, "there are targets before the table already");
  m += listed;
  if (m > PH_OPERANDS_FEW)
    targets = lua_newuserdatauv(L, (size_t)m * 2 * sizeof *targets, 0);
  e->data = 0;
  e->in.n = 0;
  e->in.at = NULL;
  if (extra != 0) take_fields(L, e, extra);
  if (e->data != 0) ph_data_keep(L, e->h, ph_emit_owner(L, e), e->data);
  ph_terminator_place(L, e);
  e->type = PH_NOTYPE;
  ph_operand_check(L, e->h, &e->operands, e->op, &e->type);
  take_targets(L, e, first, listed > 0 ? extra : 0, targets, m);
  ph_terminator_check(L, e, targets, targets + m, (uint32_t)m);
  return fill(L, e, targets, (uint32_t)m);
}

/* }=================================================================== */
