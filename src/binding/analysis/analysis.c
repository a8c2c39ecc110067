/* analysis.c: order, dominators, liveness; reads without a definition.
**
** Analyses are made when first needed, and kept until the function changes.
*/
#include "binding/analysis/analysis.h"

#include <string.h>

#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Analyses =======================================================
*/

/* Forgets the analyses of an older version, or of fewer accesses. */
static void refresh(pl_funcobj *h) {
  uint32_t version = ph_func_version(h->f);
  uint32_t naccesses = ph_access_count(h->f);
  if (h->version == version && h->naccesses == naccesses) return;
  h->order = NULL;
  h->domtree = NULL;
  h->liveness = NULL;
  h->loops = NULL;
  h->reaching = NULL;
  h->leaving[0] = h->leaving[1] = NULL;
  ph_func_freeanalyses(h->f);
  h->version = version;
  h->naccesses = naccesses;
}

const ph_rpo *pl_analysis_order(pl_funcobj *h) {
  refresh(h);
  if (h->order == NULL) h->order = ph_rpo_new(h->f);
  return h->order;
}

const ph_domtree *pl_analysis_domtree(pl_funcobj *h) {
  refresh(h);
  if (h->domtree == NULL) h->domtree = ph_dom_new(h->f);
  return h->domtree;
}

const ph_loops *pl_analysis_loops(pl_funcobj *h) {
  refresh(h);
  if (h->loops == NULL) h->loops = ph_loops_new(h->f);
  return h->loops;
}

const ph_reaching *pl_analysis_reaching(pl_funcobj *h) {
  refresh(h);
  if (h->reaching == NULL) h->reaching = ph_reaching_new(h->f);
  return h->reaching;
}

const ph_leaving *pl_analysis_leaving(pl_funcobj *h, bool coalesce) {
  refresh(h);
  if (h->leaving[coalesce] == NULL)
    h->leaving[coalesce] = ph_leave_new(h->f, coalesce);
  return h->leaving[coalesce];
}

static const ph_liveness *liveness(pl_funcobj *h) {
  refresh(h);
  if (h->liveness == NULL) h->liveness = ph_liveness_new(h->f);
  return h->liveness;
}

static pl_funcobj *look(lua_State *L, int n) {
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, n, n);
  pl_access_read(L, h);
  return h;
}

static int l_rpo(lua_State *L) {
  pl_funcobj *h = look(L, 0);
  const ph_rpo *o = pl_analysis_order(h);
  pl_handle_start(h);
  for (uint32_t i = 0; i < ph_rpo_total(o); i++)
    pl_handle_gather(h, ph_rpo_at(o, i).id);
  pl_handle_pushlist(L, h, 1, PL_UP_BLOCK);
  return pl_access_return(L, h, 1);
}

static int l_dominates(lua_State *L) {
  pl_funcobj *h = look(L, 2);
  ph_block a = pl_handle_anyblock(L, h, 2);
  ph_block b = pl_handle_anyblock(L, h, 3);
  lua_pushboolean(L, ph_dom_dominates(pl_analysis_domtree(h), a, b));
  return pl_access_return(L, h, 1);
}

/* block:reaches(other) */
static int l_reaches(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_BLOCK, 1, 1);
  pl_funcobj *h = me->owner;
  ph_block from = {me->id}, to;
  ph_func *f = pl_access_read(L, h);
  bool exist;
  to = pl_handle_anyblock(L, h, 2);
  exist = !ph_block_removed(f, from) && !ph_block_removed(f, to);
  lua_pushboolean(L, exist && ph_block_reaches(f, from, to));
  return pl_access_return(L, h, 1);
}

static int l_live_in(lua_State *L) {
  pl_funcobj *h = look(L, 1);
  ph_block b = pl_handle_anyblock(L, h, 2);
  const ph_liveness *l = liveness(h);
  uint32_t n = ph_liveness_count(l, b);
  pl_handle_start(h);
  for (uint32_t i = 0; i < n; i++)
    pl_handle_gather(h, ph_liveness_at(l, b, i).id);
  pl_handle_pushlist(L, h, 1, PL_UP_VALUE);
  return pl_access_return(L, h, 1);
}

static int l_live_out(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_BLOCK, 0, 0);
  pl_funcobj *h = me->owner;
  ph_block b = {me->id};
  uint32_t n = 0;
  pl_access_read(L, h);
  if (!ph_block_removed(h->f, b))
    n = ph_liveness_outcount(h->f, liveness(h), b);
  pl_handle_start(h);
  for (uint32_t i = 0; i < n; i++)
    pl_handle_gather(h, ph_liveness_outat(h->f, i).id);
  pl_handle_pushlist(L, h, pl_handle_pushowner(L, 1), PL_UP_VALUE);
  return pl_access_return(L, h, 1);
}

static int l_reducible(lua_State *L) {
  pl_funcobj *h = look(L, 0);
  lua_pushboolean(L, ph_dom_reducible(h->f));
  return pl_access_return(L, h, 1);
}

/* Pushes true, or false and the phi that was found. */
static int push_found(lua_State *L, pl_funcobj *h, ph_value v) {
  lua_pushboolean(L, !ph_some(v));
  if (!ph_some(v)) return pl_access_return(L, h, 1);
  pl_handle_pushvalue(L, 1, v);
  return pl_access_return(L, h, 2);
}

static int l_minimal(lua_State *L) {
  pl_funcobj *h = look(L, 0);
  return push_found(L, h, ph_redundant_phi_find(h->f));
}

static int l_pruned(lua_State *L) {
  pl_funcobj *h = look(L, 0);
  return push_found(L, h, ph_dead_phi_find(h->f));
}

/* Pushes the n values that ph_flow_... found. */
static int push_flow(lua_State *L, pl_funcobj *h, int fn, uint32_t n) {
  pl_handle_start(h);
  for (uint32_t i = 0; i < n; i++) pl_handle_gather(h, ph_flow_at(h->f, i).id);
  pl_handle_pushlist(L, h, fn, PL_UP_VALUE);
  return pl_access_return(L, h, 1);
}

/* fn:definitions(value[, limit]) */
static int l_definitions(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, 1, 2);
  uint32_t limit = UINT32_MAX;
  ph_value v;
  pl_access_read(L, h);
  if (!lua_isnoneornil(L, 3)) limit = (uint32_t)pl_arg_int(L, 3, 1, UINT32_MAX);
  v = pl_handle_argvalue(L, h, 2);
  return push_flow(L, h, 1, ph_flow_sources(h->f, v, limit));
}

/* v:reached(): where the value goes, through phis */
static int l_reached(lua_State *L) {
  pl_handle *me = pl_arg_method(L, PL_UP_VALUE, 0, 0);
  pl_funcobj *h = me->owner;
  uint32_t n;
  ph_value v;
  pl_access_read(L, h);
  v = pl_handle_value(L, me);
  pl_access_begin(h, "looking for uses in", ph_value_block(h->f, v));
  n = ph_flow_reached(h->f, v);
  h->doing = NULL;
  return push_flow(L, h, pl_handle_pushowner(L, 1), n);
}

static int l_sweep(lua_State *L) {
  const ph_block nowhere = {0};
  pl_funcobj *h = look(L, 0);
  uint32_t n;
  pl_access_change(L, h);
  if (!ph_finish_isdone(h->f))
    pl_error(L, h,
             "function '%f' is not finished: what nothing uses yet may be "
             "read still, so sweep after fn:finish()");
  pl_access_begin(h, "sweeping", nowhere);
  n = ph_dce_run(h->f);
  pl_access_end(h);
  lua_pushinteger(L, n);
  return pl_access_return(L, h, 1);
}

/* }== Undefined reads ================================================ */

/* A read as it is gathered; a path of `steps` blocks follows. */
typedef struct {
  ph_read read;
  uint32_t steps;
} found;

static void gather_path(pl_funcobj *h, found *it) {
  for (uint32_t k = 0; k < it->steps; k++)
    pl_handle_gather(h, ph_undef_reads_step(h->f, k).id);
}

static void gather_reads(pl_funcobj *h) {
  uint32_t n = ph_undef_reads_count(h->f);
  pl_handle_start(h);
  for (uint32_t i = 0; i < n; i++) {
    found it;
    it.read = ph_undef_reads_at(h->f, i);
    it.steps = ph_undef_reads_path(h->f, i);
    ph_strbuf_add(&h->buf, (ph_str){(const char *)&it, sizeof it});
    gather_path(h, &it);
  }
}

/* Pushes the read at `at`; returns the end of it. */
static const char *push_read(lua_State *L, pl_funcobj *h, const char *at) {
  found it;
  memcpy(&it, at, sizeof it);
  at += sizeof it;
  lua_createtable(L, 0, 5);
  pl_handle_pushvar(L, 1, it.read.var);
  lua_setfield(L, -2, "var");
  pl_handle_pushblock(L, 1, it.read.block);
  lua_setfield(L, -2, "block");
  pl_srcloc_setplace(L, h, it.read.here);
  pl_srcloc_setloc(L, h, it.read.loc);
  lua_createtable(L, (int)it.steps, 0);
  for (uint32_t k = 1; k <= it.steps; k++, at += sizeof(uint32_t)) {
    ph_block b;
    memcpy(&b.id, at, sizeof b.id);
    pl_handle_pushblock(L, 1, b);
    lua_rawseti(L, -2, k);
  }
  lua_setfield(L, -2, "path");
  return at;
}

static int l_undefined(lua_State *L) {
  pl_funcobj *h = look(L, 0);
  const char *at, *end;
  lua_Integer n = 0;
  gather_reads(h);
  lua_pushlstring(L, h->buf.at, h->buf.n);
  at = lua_tostring(L, 2);
  end = at + lua_rawlen(L, 2);
  lua_newtable(L);
  while (at < end) {
    at = push_read(L, h, at);
    lua_rawseti(L, 3, ++n);
  }
  return pl_access_return(L, h, 1);
}

/* }=================================================================== */

const pl_method pl_analysis_methods[] = {
    {PL_OF_FUNC, "rpo", l_rpo},
    {PL_OF_FUNC, "dominates", l_dominates},
    {PL_OF_BLOCK, "reaches", l_reaches},
    {PL_OF_FUNC, "live_in", l_live_in},
    {PL_OF_BLOCK, "live_out", l_live_out},
    {PL_OF_FUNC, "reducible", l_reducible},
    {PL_OF_FUNC, "minimal", l_minimal},
    {PL_OF_FUNC, "pruned", l_pruned},
    {PL_OF_FUNC, "definitions", l_definitions},
    {PL_OF_VALUE, "reached", l_reached},
    {PL_OF_FUNC, "sweep", l_sweep},
    {PL_OF_FUNC, "undefined", l_undefined},
    {0},
};
