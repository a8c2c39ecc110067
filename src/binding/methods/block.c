/* block.c: methods of blocks: variables, sealing, contents. */
#include "binding/args/operand.h"
#include "binding/args/read.h"
#include "binding/emit/position.h"
#include "binding/analysis/analysis.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Construction ===================================================
*/

/* Reads argument 2 in b; fn: as for pl_read_end. */
static int read_in(lua_State *L, pl_funcobj *h, int fn, ph_block b) {
  ph_var var = pl_handle_argvar(L, h, 2);
  ph_value v;
  pl_read_begin(L, h, b);
  v = ph_build_read(h->f, var, b);
  pl_read_end(L, h, fn);
  v = ph_value_resolve(h->f, v);
  pl_handle_give(L, h, fn, PL_UP_VALUE, v.id);
  return pl_access_return(L, h, 1);
}

static int read_one(lua_State *L, const pl_handle *me) {
  pl_access_open(L, me->owner);
  return read_in(L, me->owner, 0, pl_handle_block(L, me));
}

/* All arguments are checked before the first read; a read can replace the
** result of an earlier one, and finalizers can run once handles are made. */
static int read_several(lua_State *L, const pl_handle *me, int n) {
  pl_funcobj *h = me->owner;
  ph_value few[PL_OPERANDS_FEW], *values = few;
  ph_func *f;
  ph_block b;
  if (n > 4) luaL_checkstack(L, 2 * n + 8, NULL);
  if (n > PL_OPERANDS_FEW)
    values = lua_newuserdatauv(L, (size_t)n * sizeof *values, 0);
  f = pl_access_open(L, h);
  b = pl_handle_block(L, me);
  for (int i = 0; i < n; i++) values[i].id = pl_handle_argvar(L, h, i + 2).id;
  pl_read_begin(L, h, b);
  for (int i = 0; i < n; i++)
    values[i] = ph_build_read(f, (ph_var){values[i].id}, b);
  pl_read_end(L, h, 0);
  for (int i = 0; i < n; i++) values[i] = ph_value_resolve(f, values[i]);
  for (int i = 0; i < n; i++)
    pl_handle_give(L, h, 0, PL_UP_VALUE, values[i].id);
  return pl_access_return(L, h, n);
}

/* block:read(var, ...): the value of each. */
static int l_read(lua_State *L) {
  int n = lua_gettop(L) - 1;
  const pl_handle *me =
      pl_userdata_peek(L, pl_userdata_module(L), 1, PL_UP_BLOCK);
  if (me == NULL || n < 1) pl_arg_refuse(L, PL_UP_BLOCK, n + 1, 1, -1);
  return n == 1 ? read_one(L, me) : read_several(L, me, n);
}

/* phial.core.read(fn, var): fn:at():read(var) */
static int l_readat(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_UP_FUNC);
  pl_access_open(L, h);
  return read_in(L, h, 1, pl_position_at(L, h));
}

static const char *why_sealed(const ph_func *f, ph_block b) {
  if (ph_same(b, ph_block_entry(f))) return "the entry always is";
  if (ph_block_announced(f, b) >= 0)
    return "made with a number of predecessors, it seals itself";
  return "seal it once, when no more predecessors will come";
}

/* Seals b; fn: stack index of the function, 0: it is that of argument 1. */
static void seal(lua_State *L, pl_funcobj *h, int fn, ph_block b) {
  pl_access_begin(h, "sealing", b);
  pl_access_here(L, h, PL_WHERE_BLOCKS);
  ph_build_seal(h->f, b);
  pl_access_end(h);
  if (h->undef_policy == PL_UNDEF_CALL)
    pl_undef_settle(L, h, fn != 0 ? fn : pl_handle_pushowner(L, 1));
}

static int l_seal(lua_State *L) {
  pl_handle *me = pl_arg_quick(L, PL_UP_BLOCK, 0);
  pl_funcobj *h = me->owner;
  ph_func *f = pl_access_open(L, h);
  ph_block b = pl_handle_block(L, me);
  if (ph_block_sealed(f, b))
    pl_error(L, h, "block '%b' is already sealed%p: %s", b,
             ph_block_hostloc(f, b, PH_AT_SEALED), why_sealed(f, b));
  seal(L, h, 0, b);
  return pl_access_return(L, h, 0);
}

/* phial.core.enter(fn, block): seals it, unless it is sealed; then
** fn:at(block) */
static int l_enter(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_UP_FUNC);
  ph_func *f = pl_access_open(L, h);
  ph_block b = pl_handle_argblock(L, h, 2);
  if (!ph_block_sealed(f, b)) seal(L, h, 1, b);
  h->at = b;
  return pl_access_return(L, h, 0);
}

/* }== Looking ======================================================== */

/* The block that a method without arguments is called on; it may have been
** dropped. */
static ph_block look(lua_State *L, pl_funcobj **h) {
  pl_handle *me = pl_arg_method(L, PL_UP_BLOCK, 0, 0);
  *h = me->owner;
  pl_access_read(L, me->owner);
  return (ph_block){me->id};
}

/* The same for what is in the block or next to it: none if it was dropped. */
static ph_block look_inside(lua_State *L, pl_funcobj **h) {
  const ph_block none = {0};
  ph_block b = look(L, h);
  return ph_block_removed((*h)->f, b) ? none : b;
}

static int l_name(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_BLOCK, 0, 0);
  ph_str name = ph_block_name(pl_access_read(L, me->owner), (ph_block){me->id});
  if (name.n > 0)
    lua_pushlstring(L, name.at, name.n);
  else
    lua_pushnil(L);
  return 1;
}

static int l_id(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_BLOCK, 0, 0);
  pl_access_read(L, me->owner);
  lua_pushinteger(L, me->id);
  return 1;
}

static int l_is_sealed(lua_State *L) {
  pl_funcobj *h;
  ph_block b = look(L, &h);
  lua_pushboolean(L, ph_block_sealed(h->f, b));
  return 1;
}

static int l_is_filled(lua_State *L) {
  pl_funcobj *h;
  ph_block b = look(L, &h);
  lua_pushboolean(L, ph_block_filled(h->f, b));
  return 1;
}

static int l_is_open(lua_State *L) {
  pl_funcobj *h;
  ph_block b = look(L, &h);
  lua_pushboolean(L, !ph_block_filled(h->f, b));
  return 1;
}

/* Exact if the function is finished; false before if nothing leads to the
** block, nor can. */
static int l_is_reachable(lua_State *L) {
  pl_funcobj *h;
  ph_block b = look_inside(L, &h);
  bool is_reachable = ph_some(b);
  if (is_reachable && ph_finish_isdone(h->f))
    is_reachable = ph_rpo_reached(pl_analysis_order(h), b);
  else if (is_reachable)
    is_reachable = !ph_block_dead(h->f, b);
  lua_pushboolean(L, is_reachable);
  return pl_access_return(L, h, 1);
}

static int push_list(lua_State *L, pl_funcobj *h, int kind) {
  pl_handle_pushlist(L, h, pl_handle_pushowner(L, 1), kind);
  return pl_access_return(L, h, 1);
}

static int l_preds(lua_State *L) {
  pl_funcobj *h;
  ph_block b = look_inside(L, &h);
  uint32_t e = ph_some(b) ? ph_block_firstpred(h->f, b) : 0;
  pl_handle_start(h);
  for (; e != 0; e = ph_block_nextpred(h->f, e))
    pl_handle_gather(h, ph_block_edgefrom(h->f, e).id);
  return push_list(L, h, PL_UP_BLOCK);
}

static int l_succs(lua_State *L) {
  pl_funcobj *h;
  ph_block b = look_inside(L, &h);
  uint32_t n = ph_some(b) ? ph_block_nsuccs(h->f, b) : 0;
  pl_handle_start(h);
  for (uint32_t i = 0; i < n; i++)
    pl_handle_gather(h, ph_block_succ(h->f, b, i).id);
  return push_list(L, h, PL_UP_BLOCK);
}

static int l_phis(lua_State *L) {
  pl_funcobj *h;
  ph_block b = look_inside(L, &h);
  ph_value v = {0};
  if (ph_some(b)) v = ph_block_nextphi(h->f, b, v);
  pl_handle_start(h);
  for (; ph_some(v); v = ph_block_nextphi(h->f, b, v))
    pl_handle_gather(h, v.id);
  return push_list(L, h, PL_UP_VALUE);
}

static int l_insts(lua_State *L) {
  pl_funcobj *h;
  ph_block b = look_inside(L, &h);
  ph_value v = {0};
  if (ph_some(b)) v = ph_block_nextinst(h->f, b, v);
  pl_handle_start(h);
  for (; ph_some(v); v = ph_block_nextinst(h->f, b, v))
    pl_handle_gather(h, v.id);
  return push_list(L, h, PL_UP_VALUE);
}

static int l_idom(lua_State *L) {
  pl_funcobj *h;
  ph_block b = look(L, &h);
  ph_block idom = ph_dom_idom(pl_analysis_domtree(h), b);
  if (ph_some(idom))
    pl_handle_pushblock(L, pl_handle_pushowner(L, 1), idom);
  else
    lua_pushnil(L);
  return pl_access_return(L, h, 1);
}

/* }=================================================================== */

const pl_method pl_block_methods[] = {
    {PL_OF_BLOCK, "read", l_read},
    {PL_OF_MODULE, "read", l_readat},
    {PL_OF_BLOCK, "seal", l_seal},
    {PL_OF_MODULE, "enter", l_enter},
    {PL_OF_BLOCK, "name", l_name},
    {PL_OF_BLOCK, "id", l_id},
    {PL_OF_BLOCK, "is_sealed", l_is_sealed},
    {PL_OF_BLOCK, "is_filled", l_is_filled},
    {PL_OF_BLOCK, "is_open", l_is_open},
    {PL_OF_BLOCK, "is_reachable", l_is_reachable},
    {PL_OF_BLOCK, "preds", l_preds},
    {PL_OF_BLOCK, "succs", l_succs},
    {PL_OF_BLOCK, "phis", l_phis},
    {PL_OF_BLOCK, "insts", l_insts},
    {PL_OF_BLOCK, "idom", l_idom},
    {0},
};
