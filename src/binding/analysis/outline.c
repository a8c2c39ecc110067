/* outline.c: all of a finished function in one list of numbers, for emitters.
**
** A handle for each value and a call for each question cost an emitter more
** than its own work.
*/
#include <string.h>

#include "binding/analysis/analysis.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Gathering ======================================================
*/

/* Returns the number of b in reverse postorder, from 1; 0: unreachable. */
static uint32_t number_of(const ph_rpo *o, ph_block b) {
  return ph_rpo_reached(o, b) ? ph_rpo_index(o, b) + 1 : 0;
}

/* The name that the value should have: that of its variable, or its own. */
static ph_str name_of(const ph_func *f, ph_value v) {
  ph_var var = ph_value_var(f, v);
  if (ph_value_op(f, v) == PH_PHI && ph_some(var)) return ph_var_name(f, var);
  return ph_value_name(f, v);
}

/* id, op, type, name, number of operands, operands */
static void gather_value(pl_funcobj *h, ph_value v) {
  uint32_t n = ph_value_nargs(h->f, v);
  ph_str name = name_of(h->f, v);
  pl_handle_gather(h, v.id);
  pl_handle_gather(h, ph_value_op(h->f, v));
  pl_handle_gather(h, ph_value_type(h->f, v));
  pl_handle_gather(h, name.n > 0 ? ph_intern_add(h->f, name) : 0);
  pl_handle_gather(h, n);
  for (uint32_t i = 0; i < n; i++)
    pl_handle_gather(h, ph_value_arg(h->f, v, i).id);
}

static void gather_edges(pl_funcobj *h, const ph_rpo *o, ph_block b) {
  uint32_t nsuccs = ph_block_nsuccs(h->f, b);
  pl_handle_gather(h, nsuccs);
  for (uint32_t i = 0; i < nsuccs; i++)
    pl_handle_gather(h, number_of(o, ph_block_succ(h->f, b, i)));
  pl_handle_gather(h, ph_block_npreds(h->f, b));
  for (uint32_t e = ph_block_firstpred(h->f, b); e != 0;
       e = ph_block_nextpred(h->f, e))
    pl_handle_gather(h, number_of(o, ph_block_edgefrom(h->f, e)));
}

static uint32_t count(const ph_func *f, ph_block b, bool phis) {
  const ph_value none = {0};
  uint32_t n = 0;
  ph_value v =
      phis ? ph_block_nextphi(f, b, none) : ph_block_nextinst(f, b, none);
  for (; ph_some(v); n++)
    v = phis ? ph_block_nextphi(f, b, v) : ph_block_nextinst(f, b, v);
  return n;
}

/* id, successors, predecessors, numbers of phis and instructions, these */
static void gather_block(pl_funcobj *h, const ph_rpo *o, ph_block b) {
  const ph_value none = {0};
  ph_value v;
  pl_handle_gather(h, b.id);
  gather_edges(h, o, b);
  pl_handle_gather(h, count(h->f, b, true));
  pl_handle_gather(h, count(h->f, b, false));
  for (v = ph_block_nextphi(h->f, b, none); ph_some(v);
       v = ph_block_nextphi(h->f, b, v))
    gather_value(h, v);
  for (v = ph_block_nextinst(h->f, b, none); ph_some(v);
       v = ph_block_nextinst(h->f, b, v))
    gather_value(h, v);
}

/* phial.core.outline(fn): the blocks in reverse postorder as a list of integers,
** in the form that the functions above describe; other things are numbers that
** phial.core.named tells */
static int l_outline(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_UP_FUNC, 0, 0);
  const ph_rpo *o;
  int n;
  pl_access_read(L, h);
  o = pl_analysis_order(h);
  pl_handle_start(h);
  for (uint32_t i = 0; i < ph_rpo_count(o); i++)
    gather_block(h, o, ph_rpo_at(o, i));
  n = (int)(h->buf.n / sizeof(uint32_t));
  lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    uint32_t id;
    memcpy(&id, lua_tostring(L, -2) + (size_t)i * sizeof id, sizeof id);
    lua_pushinteger(L, id);
    lua_rawseti(L, -2, i + 1);
  }
  return pl_access_return(L, h, 1);
}

/* }== What the numbers mean ========================================== */

static int push_text(lua_State *L, const pl_funcobj *h) {
  lua_pushlstring(L, h->buf.at, h->buf.n);
  return 1;
}

/* phial.core.named(fn, "op", "type" or "name", n): the name of that number; of
** the type 0: nil */
static int l_named(lua_State *L) {
  static const char *const kinds[] = {"op", "type", "name", NULL};
  pl_funcobj *h = pl_arg_self(L, PL_UP_FUNC);
  int kind = luaL_checkoption(L, 2, NULL, kinds);
  lua_Integer n = luaL_checkinteger(L, 3);
  ph_str name;
  pl_access_read(L, h);
  h->buf.n = 0;
  if (kind == 0 && n > 0 && n < PH_OPS + (lua_Integer)h->nops) {
    ph_print_op(&h->buf, h->f, (ph_op)n);
    return push_text(L, h);
  }
  if (kind == 1 && n > 0 && n < PH_TYPES + (lua_Integer)h->ntypes) {
    ph_print_type(&h->buf, h->f, (ph_type)n);
    return push_text(L, h);
  }
  if (kind != 2 || n < 1 || n > ph_intern_count(h->f)) {
    lua_pushnil(L);
    return 1;
  }
  name = ph_intern_string(h->f, (uint32_t)n);
  lua_pushlstring(L, name.at, name.n);
  return 1;
}

static int push_handle(lua_State *L, int kind) {
  pl_funcobj *h = pl_arg_self(L, PL_UP_FUNC);
  lua_Integer id = luaL_checkinteger(L, 2);
  uint32_t most = kind == PL_UP_VALUE ? ph_value_count(pl_access_read(L, h))
                                      : ph_block_count(pl_access_read(L, h));
  luaL_argcheck(L, id > 0 && id <= most, 2, "no such thing");
  if (kind == PL_UP_VALUE)
    pl_handle_pushvalue(L, 1, (ph_value){(uint32_t)id});
  else
    pl_handle_pushblock(L, 1, (ph_block){(uint32_t)id});
  return 1;
}

/* phial.core.value(fn, id), phial.core.block(fn, id): the thing of that id */
static int l_value(lua_State *L) { return push_handle(L, PL_UP_VALUE); }
static int l_block(lua_State *L) { return push_handle(L, PL_UP_BLOCK); }

/* }=================================================================== */

const pl_method pl_outline_methods[] = {
    {PL_OF_MODULE, "outline", l_outline},
    {PL_OF_MODULE, "named", l_named},
    {PL_OF_MODULE, "value", l_value},
    {PL_OF_MODULE, "block", l_block},
    {0},
};
