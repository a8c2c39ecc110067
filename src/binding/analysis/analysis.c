/* analysis.c: analyses, kept until the function changes, and methods that ask
** them with arguments; the edges between two blocks, loops, undefined reads.
**
** What is asked without arguments is in getters.c.
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
static pl_code_analyses *code_of(pl_funcobj *h) {
  uint32_t version = ph_func_codeversion(h->f);
  uint32_t naccesses = ph_access_count(h->f);
  pl_code_analyses *a = &h->code_analyses;
  if (a->version == version && a->naccesses == naccesses) return a;
  ph_func_freecodeanalyses(h->f);
  *a = (pl_code_analyses){.version = version, .naccesses = naccesses};
  return a;
}

/* The same for those of blocks and edges. */
static pl_flow_analyses *flow_of(pl_funcobj *h) {
  uint32_t version = ph_func_flowversion(h->f);
  pl_flow_analyses *a = &h->flow_analyses;
  if (a->version == version) return a;
  ph_func_freeflowanalyses(h->f);
  *a = (pl_flow_analyses){.version = version};
  return a;
}

/* The analysis that h keeps in the field `name`, made when it is first needed.
*/
#define KEPT(type, name, make, kind)              \
  const type *pl_analysis_##name(pl_funcobj *h) { \
    pl_##kind##_analyses *a = kind##_of(h);       \
    if (a->name == NULL) a->name = make(h->f);    \
    return a->name;                               \
  }

KEPT(ph_rpo, order, ph_rpo_new, flow)
KEPT(ph_domtree, domtree, ph_dom_new, flow)
KEPT(ph_loops, loops, ph_loops_new, flow)
KEPT(ph_reaching, reaching, ph_reaching_new, code)
KEPT(ph_liveness, liveness, ph_liveness_new, code)
KEPT(ph_needed, needed, ph_needed_new, code)

const ph_livepoints *pl_analysis_livepoints(pl_funcobj *h) {
  const ph_liveness *l = pl_analysis_liveness(h);
  pl_code_analyses *a = &h->code_analyses;
  if (a->livepoints == NULL) a->livepoints = ph_livepoints_new(h->f, l);
  return a->livepoints;
}

const ph_leaving *pl_analysis_leaving(pl_funcobj *h, bool coalesce) {
  const ph_leaving **kept = &code_of(h)->leaving[coalesce];
  if (*kept == NULL) *kept = ph_leave_new(h->f, coalesce);
  return *kept;
}

void pl_analysis_forget(pl_funcobj *h) {
  pl_code_analyses *a = code_of(h);
  if (a->liveness != NULL || a->reaching != NULL) return;
  ph_func_freecodeanalyses(h->f);
  a->needed = NULL;
  a->leaving[false] = a->leaving[true] = NULL;
}

/* }== Edges between two blocks ======================================== */

/* Returns the edge after `edge`, or the first if that is 0; 0: no more.  Looks
** from the end that has fewer edges. */
static uint32_t next_edge(const pl_between *it, const ph_func *f,
                          uint32_t edge) {
  uint32_t n = ph_block_nsuccs(f, it->from), end;
  if (n == 0) return 0;
  if (ph_block_npreds(f, it->to) < n) {
    do
      edge = edge == 0 ? ph_block_firstpred(f, it->to)
                       : ph_block_nextpred(f, edge);
    while (edge != 0 && !ph_same(ph_block_edgefrom(f, edge), it->from));
    return edge;
  }
  end = ph_block_succedge(f, it->from, n - 1) + 1;
  edge = edge == 0 ? end - n : edge + 1;
  while (edge < end && !ph_same(ph_block_edgeto(f, edge), it->to)) edge++;
  return edge < end ? edge : 0;
}

static void find_first_edge(pl_between *it, const ph_func *f) {
  it->edge = next_edge(it, f, 0);
  it->nth = 1;
}

/* Finds the edges from b to `to`; returns their number. */
static uint32_t find_edges(pl_between *it, const ph_func *f, ph_block b,
                           ph_block to) {
  uint32_t edge;
  if (ph_same(it->from, b) && ph_same(it->to, to)) return it->count;
  it->from = b;
  it->to = to;
  it->count = 0;
  find_first_edge(it, f);
  for (edge = it->edge; edge != 0; edge = next_edge(it, f, edge)) it->count++;
  return it->count;
}

uint32_t pl_between_nth(pl_between *it, const ph_func *f, uint32_t nth) {
  if (nth < it->nth) find_first_edge(it, f);
  for (; it->nth < nth; it->nth++) it->edge = next_edge(it, f, it->edge);
  return it->edge;
}

uint32_t pl_between_take(lua_State *L, pl_funcobj *h, pl_between *it,
                         uint32_t *nth) {
  ph_block b = pl_handle_argblock(L, h, 2), to = pl_handle_argblock(L, h, 3);
  uint32_t n = find_edges(it, h->f, b, to);
  if (n == 0) pl_error_arg(L, h, 3, "'%b' does not lead to '%b'", b, to);
  *nth = lua_isnoneornil(L, 4) ? 0 : (uint32_t)pl_arg_int(L, 4, 1, n);
  return n;
}

/* }== Questions ====================================================== */

/* The two blocks of a question that a block, which may be gone, is asked about
** another. */
typedef struct {
  pl_funcobj *h;
  ph_block a, b;
} two_blocks;

static two_blocks take_blocks(lua_State *L) {
  const pl_handle *me = pl_arg_method(L, PL_KIND_BLOCK, 1, 1);
  two_blocks it = {me->owner, {me->id}, {0}};
  pl_access_read(L, it.h);
  it.b = pl_handle_anyblock(L, it.h, 2);
  return it;
}

static int l_dominates(lua_State *L) {
  two_blocks it = take_blocks(L);
  lua_pushboolean(L, ph_dom_dominates(pl_analysis_domtree(it.h), it.a, it.b));
  return pl_access_return(L, it.h, 1);
}

static int l_can_reach(lua_State *L) {
  two_blocks it = take_blocks(L);
  const ph_func *f = it.h->f;
  bool exist = !ph_block_isremoved(f, it.a) && !ph_block_isremoved(f, it.b);
  lua_pushboolean(L, exist && ph_block_canreach(it.h->f, it.a, it.b));
  return pl_access_return(L, it.h, 1);
}

/* value:definitions([limit]) */
static int l_definitions(lua_State *L) {
  const pl_handle *me = pl_arg_method(L, PL_KIND_VALUE, 0, 1);
  pl_funcobj *h = me->owner;
  uint32_t limit = UINT32_MAX, n;
  pl_access_read(L, h);
  if (!lua_isnoneornil(L, 2)) limit = (uint32_t)pl_arg_int(L, 2, 1, UINT32_MAX);
  n = ph_flow_sources(h->f, pl_handle_value(L, me), limit);
  pl_handle_start(h);
  for (uint32_t i = 0; i < n; i++) pl_handle_gather(h, ph_flow_at(h->f, i).id);
  pl_handle_pushlist(L, h, 0, PL_KIND_VALUE);
  return pl_access_return(L, h, 1);
}

/* }== Blocks of a loop ===============================================
**
** All lists together can be as long as the square of the number of blocks.  So
** fn:loops() keeps each block once, in an order in which those of each loop are
** contiguous, and makes a list when it is first asked for.
*/

/* What is kept of a loop; the ids of all blocks follow the last one. */
typedef struct {
  uint32_t header, parent, depth, reducible, first, size;
} kept;

/* Upvalues of l_loop_index: the function; what fn:loops() has kept; the numbers
** of the loops, by loop. */
enum { UP_OWNER = PL_UP_NAME + 1, UP_KEPT, UP_NUMBERS };

static kept kept_of(const char *at, lua_Integer loop) {
  kept it;
  memcpy(&it, at + (loop - 1) * (lua_Integer)sizeof it, sizeof it);
  return it;
}

/* loop.blocks, when it is asked for first */
static int l_loop_index(lua_State *L) {
  pl_funcobj *h = lua_touserdata(L, lua_upvalueindex(UP_OWNER));
  const char *at = lua_tostring(L, lua_upvalueindex(UP_KEPT));
  lua_Integer n, number;
  lua_settop(L, 2);
  if (lua_type(L, 2) != LUA_TSTRING ||
      strcmp(lua_tostring(L, 2), "blocks") != 0)
    return 0;
  lua_pushvalue(L, 1);
  lua_rawget(L, lua_upvalueindex(UP_NUMBERS));
  number = lua_tointeger(L, 3);
  if (number == 0) return 0;
  lua_rawgeti(L, lua_upvalueindex(UP_NUMBERS), 0);
  n = lua_tointeger(L, 4);
  pl_access_read(L, h);
  lua_pushvalue(L, lua_upvalueindex(UP_OWNER));
  kept it = kept_of(at, number);
  at += n * (lua_Integer)sizeof it + it.first * (lua_Integer)sizeof(uint32_t);
  pl_handle_pushids(L, lua_touserdata(L, 5), 5, PL_KIND_BLOCK, at, it.size);
  lua_pushvalue(L, 2);
  lua_pushvalue(L, -2);
  lua_rawset(L, 1);
  return pl_access_return(L, h, 1);
}

/* }== Loops ========================================================== */

static void gather_loops(pl_funcobj *h, const ph_loops *l) {
  uint32_t n = ph_loops_count(l);
  pl_handle_start(h);
  for (uint32_t i = 1; i <= n; i++) {
    kept it = {ph_loops_header(l, i).id, ph_loops_parent(l, i),
               ph_loops_depth(l, i),     ph_loops_isreducible(l, i),
               ph_loops_first(l, i),     ph_loops_size(l, i)};
    ph_strbuf_add(&h->buf, (ph_str){(const char *)&it, sizeof it});
  }
  for (uint32_t i = 1; i <= n; i++)
    for (uint32_t k = 0; ph_loops_parent(l, i) == 0 && k < ph_loops_size(l, i);
         k++)
      pl_handle_gather(h, ph_loops_block(l, i, k).id);
}

/* Pushes a loop.  list: stack index of the list of those before it. */
static void push_loop(lua_State *L, int list, kept it) {
  lua_createtable(L, 0, 5);
  pl_handle_pushblock(L, 1, (ph_block){it.header});
  lua_setfield(L, -2, "header");
  lua_rawgeti(L, list, it.parent);
  lua_setfield(L, -2, "parent");
  pl_userdata_setnumber(L, "depth", it.depth);
  lua_pushboolean(L, it.reducible != 0);
  lua_setfield(L, -2, "reducible");
}

/* fn:loops() */
static int l_loops(lua_State *L) {
  enum { KEPT = 2, NUMBERS, METATABLE, LIST };
  pl_funcobj *h = pl_arg_only(L, PL_KIND_FUNC);
  const ph_loops *l;
  uint32_t n;
  luaL_checkstack(L, UP_NUMBERS + 8, NULL);
  pl_access_read(L, h);
  l = pl_analysis_loops(h);
  n = ph_loops_count(l);
  gather_loops(h, l);
  lua_pushlstring(L, h->buf.at, h->buf.n);
  lua_createtable(L, 0, (int)n);
  lua_createtable(L, 0, 1);
  for (int i = 1; i <= 3; i++) lua_pushvalue(L, i);
  pl_userdata_pushfunction(L, l_loop_index, "blocks", 3);
  lua_setfield(L, -2, "__index");
  lua_createtable(L, (int)n, 0);
  lua_pushinteger(L, n);
  lua_rawseti(L, NUMBERS, 0);
  for (uint32_t i = 1; i <= n; i++) {
    push_loop(L, LIST, kept_of(lua_tostring(L, KEPT), i));
    lua_pushvalue(L, -1);
    lua_pushinteger(L, i);
    lua_rawset(L, NUMBERS);
    lua_pushvalue(L, METATABLE);
    lua_setmetatable(L, -2);
    lua_rawseti(L, LIST, i);
  }
  return pl_access_return(L, h, 1);
}

/* }== Undefined reads ================================================ */

/* A read as it is gathered; a path of `steps` blocks follows. */
typedef struct {
  ph_read read;
  uint32_t steps;
} found;

static void gather_reads(pl_funcobj *h) {
  uint32_t n = ph_undef_reads_count(h->f);
  pl_handle_start(h);
  for (uint32_t i = 0; i < n; i++) {
    found it;
    it.read = ph_undef_reads_at(h->f, i);
    it.steps = ph_undef_reads_path(h->f, i);
    ph_strbuf_add(&h->buf, (ph_str){(const char *)&it, sizeof it});
    for (uint32_t k = 0; k < it.steps; k++)
      pl_handle_gather(h, ph_undef_reads_step(h->f, k).id);
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
  at = pl_handle_pushids(L, h, 1, PL_KIND_BLOCK, at, it.steps);
  lua_setfield(L, -2, "path");
  return at;
}

static int l_undefined_reads(lua_State *L) {
  pl_funcobj *h = pl_arg_only(L, PL_KIND_FUNC);
  const char *at, *end;
  lua_Integer n = 0;
  pl_access_read(L, h);
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
    {PL_OF_BLOCK, "dominates", l_dominates},
    {PL_OF_BLOCK, "can_reach", l_can_reach},
    {PL_OF_VALUE, "definitions", l_definitions},
    {PL_OF_FUNC, "loops", l_loops},
    {PL_OF_FUNC, "undefined_reads", l_undefined_reads},
    {0},
};
