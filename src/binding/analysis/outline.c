/* outline.c: all of a finished function in one list of numbers, for emitters.
**
** A handle for each value and a call for each question cost an emitter more
** than its own work.  The list has the reachable blocks and, of their values,
** those that something with an effect needs, with the numbers of their uses.
*/
#include <string.h>

#include "binding/analysis/analysis.h"
#include "binding/args/payload.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/* What is known about a value. */
typedef struct {
  uint32_t near, far; /* uses in the block that computes it, and in others */
  uint32_t next;      /* a projection of the same instruction, or 0 */
} fact;

typedef struct {
  pl_funcobj *h;
  const ph_func *f;
  const ph_rpo *o;
  fact *facts;    /* by value */
  uint32_t *todo; /* values whose operands are still to be counted */
  uint32_t ntodo;
  uint32_t *operand; /* by edge: the number of its operands in phis, from 1,
                        over the edges from reachable blocks */
} outline;

/*
** {== Uses ===========================================================
*/

/* Returns the number of b in reverse postorder, from 1; 0: unreachable. */
static uint32_t number_of(const ph_rpo *o, ph_block b) {
  return ph_rpo_reached(o, b) ? ph_rpo_index(o, b) + 1 : 0;
}

/* True if an instruction is not needed unless something uses it.  Ops of
** dialects are run in any case, and with an instruction its projections. */
static bool is_droppable(const ph_func *f, ph_value v) {
  ph_op op = ph_value_op(f, v);
  return op < PH_OPS && op != PH_PROJ &&
         ph_op_effect(f, op) != PH_EFFECT_WRITE &&
         !(ph_op_flags(f, op) & (PH_TRAPS | PH_TERMINATOR));
}

static bool is_needed(const outline *it, ph_value v) {
  const fact *known = &it->facts[v.id];
  return known->near + known->far > 0 || !is_droppable(it->f, v);
}

/* Returns the block that computes v. */
static ph_block home(const ph_func *f, ph_value v) {
  ph_op op = ph_value_op(f, v);
  if (op == PH_PARAM) return ph_block_entry(f);
  return ph_value_block(f, op == PH_PROJ ? ph_value_arg(f, v, 0) : v);
}

static void count_use(outline *it, ph_value v, ph_block by) {
  fact *known = &it->facts[v.id];
  bool is_first = known->near + known->far == 0;
  if (ph_same(home(it->f, v), by))
    known->near++;
  else
    known->far++;
  if (is_first && is_droppable(it->f, v)) it->todo[it->ntodo++] = v.id;
}

/* Counts the operands of a phi, which are used where the edges come from. */
static void count_sources(outline *it, ph_value phi) {
  uint32_t i = 0, e = ph_block_firstpred(it->f, ph_value_block(it->f, phi));
  for (; e != 0; e = ph_block_nextpred(it->f, e), i++)
    if (it->operand[e] != 0)
      count_use(it, ph_value_arg(it->f, phi, i), ph_block_edgefrom(it->f, e));
}

/* Returns how many operands the code for v has: a refinement is its first one,
** whatever is known of it. */
static uint32_t count_args(const ph_func *f, ph_value v) {
  return ph_value_op(f, v) == PH_REFINE ? 1 : ph_value_nargs(f, v);
}

static void count_operands(outline *it, ph_value v) {
  uint32_t n = count_args(it->f, v);
  if (ph_value_op(it->f, v) == PH_PHI) {
    count_sources(it, v);
    return;
  }
  for (uint32_t i = 0; i < n; i++)
    count_use(it, ph_value_arg(it->f, v, i), ph_value_block(it->f, v));
}

/* Adds a projection to those of its instruction. */
static void add_projection(outline *it, ph_value v) {
  fact *of = &it->facts[ph_value_arg(it->f, v, 0).id];
  it->facts[v.id].next = of->next;
  of->next = v.id;
}

static void count_block(outline *it, ph_block b) {
  ph_value v = ph_block_nextinst(it->f, b, (ph_value){0});
  for (; ph_some(v); v = ph_block_nextinst(it->f, b, v)) {
    if (ph_value_op(it->f, v) == PH_PROJ)
      add_projection(it, v);
    else if (!is_droppable(it->f, v))
      count_operands(it, v);
  }
}

static void number_edges(outline *it, ph_block b) {
  uint32_t n = 0, e = ph_block_firstpred(it->f, b);
  for (; e != 0; e = ph_block_nextpred(it->f, e))
    if (ph_rpo_reached(it->o, ph_block_edgefrom(it->f, e)))
      it->operand[e] = ++n;
}

static void count_uses(outline *it) {
  uint32_t n = ph_rpo_count(it->o);
  for (uint32_t i = 0; i < n; i++) number_edges(it, ph_rpo_at(it->o, i));
  for (uint32_t i = 0; i < n; i++) count_block(it, ph_rpo_at(it->o, i));
  while (it->ntodo > 0) count_operands(it, (ph_value){it->todo[--it->ntodo]});
}

/* }== Gathering ====================================================== */

static void gather(outline *it, uint32_t n) { pl_handle_gather(it->h, n); }

/* Gathers a number that is not known yet; returns where it is. */
static size_t gather_later(outline *it) {
  gather(it, 0);
  return it->h->buf.n - sizeof(uint32_t);
}

static void settle(outline *it, size_t at, uint32_t n) {
  memcpy(it->h->buf.at + at, &n, sizeof n);
}

/* The name that the value should have: that of its variable, or its own. */
static ph_str name_of(const ph_func *f, ph_value v) {
  ph_var var = ph_value_var(f, v);
  if (ph_value_op(f, v) == PH_PHI && ph_some(var)) return ph_var_name(f, var);
  return ph_value_name(f, v);
}

static void gather_name(outline *it, ph_str name) {
  gather(it, name.n > 0 ? ph_intern_add(it->h->f, name) : 0);
}

/* number of operands, operands; those of phis over edges from reachable blocks
*/
static void gather_operands(outline *it, ph_value v) {
  uint32_t nargs = count_args(it->f, v), n = 0, e = 0;
  bool is_phi = ph_value_op(it->f, v) == PH_PHI;
  size_t at = gather_later(it);
  if (is_phi) e = ph_block_firstpred(it->f, ph_value_block(it->f, v));
  for (uint32_t i = 0; i < nargs; i++) {
    if (!is_phi || it->operand[e] != 0) {
      gather(it, ph_value_arg(it->f, v, i).id);
      n++;
    }
    if (is_phi) e = ph_block_nextpred(it->f, e);
  }
  settle(it, at, n);
}

/* id, op, type, name, uses in its block, other uses, operands */
static void gather_value(outline *it, ph_value v) {
  gather(it, v.id);
  gather(it, ph_value_op(it->f, v));
  gather(it, ph_value_type(it->f, v));
  gather_name(it, name_of(it->f, v));
  gather(it, it->facts[v.id].near);
  gather(it, it->facts[v.id].far);
  gather_operands(it, v);
}

/* number of phis, phis */
static void gather_phis(outline *it, ph_block b) {
  size_t at = gather_later(it);
  uint32_t n = 0;
  ph_value v = ph_block_nextphi(it->f, b, (ph_value){0});
  for (; ph_some(v); v = ph_block_nextphi(it->f, b, v)) {
    if (!is_needed(it, v)) continue;
    gather_value(it, v);
    n++;
  }
  settle(it, at, n);
}

/* number of instructions, instructions, each before its projections */
static void gather_insts(outline *it, ph_block b) {
  size_t at = gather_later(it);
  uint32_t n = 0;
  ph_value v = ph_block_nextinst(it->f, b, (ph_value){0});
  for (; ph_some(v); v = ph_block_nextinst(it->f, b, v)) {
    if (ph_value_op(it->f, v) == PH_PROJ || !is_needed(it, v)) continue;
    for (uint32_t i = v.id; i != 0; i = it->facts[i].next, n++)
      gather_value(it, (ph_value){i});
  }
  settle(it, at, n);
}

/* number of edges; for each the number of the target, and that of the edge's
** operands in phis */
static void gather_edges(outline *it, ph_block b) {
  uint32_t n = ph_block_nsuccs(it->f, b);
  gather(it, n);
  for (uint32_t i = 0; i < n; i++) {
    gather(it, number_of(it->o, ph_block_succ(it->f, b, i)));
    gather(it, it->operand[ph_block_succedge(it->f, b, i)]);
  }
}

/* for each block: id, name, phis, instructions, edges */
static void gather_blocks(outline *it) {
  for (uint32_t i = 0; i < ph_rpo_count(it->o); i++) {
    ph_block b = ph_rpo_at(it->o, i);
    settle(it, (i + 1) * sizeof(uint32_t),
           (uint32_t)(it->h->buf.n / sizeof(uint32_t)) + 1);
    gather(it, b.id);
    gather_name(it, ph_block_name(it->f, b));
    gather_phis(it, b);
    gather_insts(it, b);
    gather_edges(it, b);
  }
}

/* number of blocks, where they are, number of parameters, parameters, blocks */
static void gather_all(outline *it) {
  uint32_t n = ph_value_nparams(it->f);
  pl_handle_start(it->h);
  gather(it, ph_rpo_count(it->o));
  for (uint32_t i = 0; i < ph_rpo_count(it->o); i++) gather(it, 0);
  gather(it, n);
  for (uint32_t i = 0; i < n; i++) gather_value(it, ph_value_param(it->f, i));
  gather_blocks(it);
}

/* }== The list ======================================================= */

/* Returns a number that is greater than that of each edge. */
static uint32_t count_edges(const ph_func *f) {
  uint32_t n = 1;
  ph_block b = ph_block_next(f, (ph_block){0});
  for (; ph_some(b); b = ph_block_next(f, b)) {
    uint32_t nsuccs = ph_block_nsuccs(f, b);
    if (nsuccs > 0 && ph_block_succedge(f, b, nsuccs - 1) >= n)
      n = ph_block_succedge(f, b, nsuccs - 1) + 1;
  }
  return n;
}

/* Pushes the memory of an outline, for all values and edges. */
static void push_memory(lua_State *L, outline *it) {
  size_t values = ph_value_count(it->f) + (size_t)1, edges = count_edges(it->f),
         bytes =
             values * sizeof *it->facts + (values + edges) * sizeof(uint32_t);
  uint32_t version = ph_func_version(it->f);
  it->facts = lua_newuserdatauv(L, bytes, 0);
  memset(it->facts, 0, bytes);
  it->todo = (uint32_t *)(it->facts + values);
  it->operand = it->todo + values;
  pl_access_read(L, it->h);
  if (ph_func_version(it->f) != version)
    luaL_error(L, "a finalizer has changed the function");
}

/* Pushes the numbers that were gathered. */
static void push_numbers(lua_State *L, pl_funcobj *h) {
  int n = (int)(h->buf.n / sizeof(uint32_t));
  const char *at = lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_createtable(L, n, 0);
  for (int i = 0; i < n; i++) {
    uint32_t number;
    memcpy(&number, at + (size_t)i * sizeof number, sizeof number);
    lua_pushinteger(L, number);
    lua_rawseti(L, -2, i + 1);
  }
}

/* phial.core.outline(fn): a list of integers, in the form that the functions
** above describe; other things are numbers that phial.core.named tells */
static int l_outline(lua_State *L) {
  outline it = {0};
  it.h = pl_arg_method(L, PL_UP_FUNC, 0, 0);
  it.f = pl_access_read(L, it.h);
  push_memory(L, &it);
  it.o = pl_analysis_order(it.h);
  count_uses(&it);
  gather_all(&it);
  push_numbers(L, it.h);
  return pl_access_return(L, it.h, 1);
}

/* }== What the numbers mean ========================================== */

/* phial.core.constant(fn, id): the numbers of its op and type, and its value;
** nil for undef */
static int l_constant(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_UP_FUNC);
  lua_Integer id = luaL_checkinteger(L, 2);
  const ph_func *f = pl_access_read(L, h);
  ph_value v;
  luaL_argcheck(L, id > 0 && id <= ph_value_count(f), 2, "no such value");
  v.id = (uint32_t)id;
  lua_pushinteger(L, ph_value_op(f, v));
  lua_pushinteger(L, ph_value_type(f, v));
  if (ph_value_op(f, v) != PH_CONST) return 2;
  pl_literal_push(L, f, ph_value_type(f, v), ph_value_data(f, v));
  return 3;
}

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
    {PL_OF_MODULE, "constant", l_constant},
    {PL_OF_MODULE, "named", l_named},
    {PL_OF_MODULE, "value", l_value},
    {PL_OF_MODULE, "block", l_block},
    {0},
};
