/* program.c: a finished function in a few tables, for emitters.
**
** A handle for each value and a call for each question cost an emitter more
** than its own work.  The tables are columns, arrays of one field of all values,
** blocks or edges: they take less memory than a table for each of these, and an
** emitter that reads a block at a time makes tables for that block only.
** lua/phial/code/program.lua says what each column holds, and makes these
** tables.
*/
#include "binding/analysis/program.h"

#include <stddef.h>
#include <string.h>

#include "binding/analysis/analysis.h"
#include "binding/args/payload.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Order ==========================================================
*/

/* Adds the projections in b to those of their instructions, which can be in other
** blocks. */
static void add_projections(pl_program *it, ph_block b) {
  ph_value v = ph_block_nextinst(it->f, b, (ph_value){0});
  for (; ph_some(v); v = ph_block_nextinst(it->f, b, v)) {
    uint32_t of;
    if (ph_value_op(it->f, v) != PH_PROJ) continue;
    of = ph_value_arg(it->f, v, 0).id;
    it->next[v.id] = it->next[of];
    it->next[of] = v.id;
  }
}

/* Adds v with its projections to the values of the tables, if it belongs
** there. */
static void keep_with_projections(pl_program *it, ph_value v,
                                  const ph_needed *needed) {
  if (ph_value_op(it->f, v) == PH_PROJ) return;
  if (!it->everything && !ph_needed_has(needed, v)) return;
  for (uint32_t id = v.id; id != 0; id = it->next[id])
    it->kept[it->nkept++] = id;
}

static void keep_block(pl_program *it, uint32_t number,
                       const ph_needed *needed) {
  ph_block b = ph_rpo_at(it->o, number);
  ph_value v = ph_block_nextphi(it->f, b, (ph_value){0});
  it->phis[number] = it->nkept;
  for (; ph_some(v); v = ph_block_nextphi(it->f, b, v))
    keep_with_projections(it, v, needed);
  it->insts[number] = it->nkept;
  v = ph_block_nextinst(it->f, b, (ph_value){0});
  for (; ph_some(v); v = ph_block_nextinst(it->f, b, v))
    keep_with_projections(it, v, needed);
}

/* }== Rows =========================================================== */

/* Rows are gathered as a whole, since a finalizer can change the function as
** soon as Lua allocates memory. */

typedef struct {
  uint32_t id, op, type, name, variable, operands;
} value_row;

typedef struct {
  uint32_t id, name, phis, insts, edges;
} block_row;

typedef struct {
  uint32_t to, incoming;
} edge_row;

static void gather_row(pl_program *it, const void *row, size_t bytes) {
  ph_strbuf_add(&it->h->buf, (ph_str){row, bytes});
}

/* Returns the number of a name; of "": 0. */
static uint32_t intern(pl_program *it, ph_str name) {
  return ph_intern_add(it->h->f, name);
}

static uint32_t variable_of(pl_program *it, ph_value v) {
  ph_var var = ph_value_var(it->f, v);
  return ph_some(var) ? intern(it, ph_var_name(it->f, var)) : 0;
}

/* Returns how many operands v has in code, and gathers them if that is wanted:
** those of a phi over edges from reachable blocks; of a refinement the first
** one, whatever is known of it. */
static uint32_t go_through_operands(pl_program *it, ph_value v, bool gathers) {
  ph_op op = ph_value_op(it->f, v);
  uint32_t nargs = ph_value_nargs(it->f, v), n = 0, e = 0;
  if (op == PH_REFINE) nargs = 1;
  if (op == PH_PHI) e = ph_block_firstpred(it->f, ph_value_block(it->f, v));
  for (uint32_t i = 0; i < nargs; i++) {
    uint32_t operand = ph_value_arg(it->f, v, i).id;
    if (op != PH_PHI || it->incoming[e] != 0) {
      if (gathers) gather_row(it, &operand, sizeof operand);
      n++;
    }
    if (op == PH_PHI) e = ph_block_nextpred(it->f, e);
  }
  return n;
}

static void gather_value(pl_program *it, uint32_t id) {
  ph_value v = {id};
  value_row row = {
      .id = id,
      .op = ph_value_op(it->f, v),
      .type = ph_value_type(it->f, v),
      .name = intern(it, ph_value_name(it->f, v)),
      .variable = variable_of(it, v),
      .operands = it->noperands + 1,
  };
  it->noperands += go_through_operands(it, v, false);
  gather_row(it, &row, sizeof row);
}

static void gather_block(pl_program *it, uint32_t number) {
  ph_block b = ph_rpo_at(it->o, number);
  block_row row = {
      .id = b.id,
      .name = intern(it, ph_block_name(it->f, b)),
      .phis = it->phis[number] + 1,
      .insts = it->insts[number] + 1,
      .edges = it->nedges + 1,
  };
  it->nedges += ph_block_nsuccs(it->f, b);
  gather_row(it, &row, sizeof row);
}

static void gather_edges(pl_program *it, uint32_t number) {
  ph_block b = ph_rpo_at(it->o, number);
  for (uint32_t i = 0; i < ph_block_nsuccs(it->f, b); i++) {
    edge_row row = {
        .to = ph_rpo_index(it->o, ph_block_succ(it->f, b, i)) + 1,
        .incoming = it->incoming[ph_block_succedge(it->f, b, i)],
    };
    gather_row(it, &row, sizeof row);
  }
}

/* Gathers all rows: of values, operands, blocks and edges.  Those of values and
** of blocks end with one that only tells where the lists of the last one end. */
static void gather_all(pl_program *it) {
  value_row last_value = {0};
  block_row last_block = {0};
  pl_handle_start(it->h);
  for (uint32_t i = 0; i < it->nkept; i++) gather_value(it, it->kept[i]);
  last_value.operands = it->noperands + 1;
  gather_row(it, &last_value, sizeof last_value);
  for (uint32_t i = 0; i < it->nkept; i++)
    go_through_operands(it, (ph_value){it->kept[i]}, true);
  for (uint32_t i = 0; i < it->nblocks; i++) gather_block(it, i);
  last_block.phis = it->nkept + 1;
  last_block.edges = it->nedges + 1;
  gather_row(it, &last_block, sizeof last_block);
  for (uint32_t i = 0; i < it->nblocks; i++) gather_edges(it, i);
}

/* }== Columns ======================================================== */

enum { VALUES, OPERANDS, BLOCKS, EDGES };
enum { NUMBERS, OPS, TYPES, NAMES };

/* A column; `more`: 1 if it has an element for the last row, else 0. */
typedef struct {
  const char *name;
  uint8_t rows, kind, offset, more;
} column;

static const column columns[] = {
    {"id", VALUES, NUMBERS, offsetof(value_row, id), 0},
    {"op", VALUES, OPS, offsetof(value_row, op), 0},
    {"type", VALUES, TYPES, offsetof(value_row, type), 0},
    {"name", VALUES, NAMES, offsetof(value_row, name), 0},
    {"variable", VALUES, NAMES, offsetof(value_row, variable), 0},
    {"operands", VALUES, NUMBERS, offsetof(value_row, operands), 1},
    {"operand", OPERANDS, NUMBERS, 0, 0},
    {"block", BLOCKS, NUMBERS, offsetof(block_row, id), 0},
    {"block_name", BLOCKS, NAMES, offsetof(block_row, name), 0},
    {"phis", BLOCKS, NUMBERS, offsetof(block_row, phis), 1},
    {"insts", BLOCKS, NUMBERS, offsetof(block_row, insts), 0},
    {"edges", BLOCKS, NUMBERS, offsetof(block_row, edges), 1},
    {"to", EDGES, NUMBERS, offsetof(edge_row, to), 0},
    {"incoming", EDGES, NUMBERS, offsetof(edge_row, incoming), 0},
};

/* A finalizer that ran for what was pushed before may have closed h. */
static void push_name(lua_State *L, pl_funcobj *h, int kind, uint32_t n) {
  const ph_func *f = pl_access_read(L, h);
  ph_str name;
  if (kind == NAMES) {
    name = ph_intern_string(f, n);
    lua_pushlstring(L, name.at, name.n);
    return;
  }
  pl_handle_start(h);
  if (kind == OPS)
    ph_print_op(&h->buf, f, (ph_op)n);
  else
    ph_print_type(&h->buf, f, (ph_type)n);
  lua_pushlstring(L, h->buf.at, h->buf.n);
}

/* Pushes the name of number n, which the table at index `known` has from the
** second time on. */
static void push_known(lua_State *L, pl_funcobj *h, int known, int kind,
                       uint32_t n) {
  if (lua_rawgeti(L, known, n) != LUA_TNIL) return;
  lua_pop(L, 1);
  push_name(L, h, kind, n);
  lua_pushvalue(L, -1);
  lua_rawseti(L, known, n);
}

/* Pushes n elements, each `step` bytes after the one before.  Where most values
** have no name or line, the table has few elements. */
static void push_column(lua_State *L, pl_funcobj *h, int kind, const char *at,
                        uint32_t n, size_t step) {
  int known;
  lua_newtable(L);
  known = lua_gettop(L);
  lua_createtable(L, kind >= NAMES ? 0 : (int)n, 0);
  for (uint32_t i = 1; i <= n; i++, at += step) {
    uint32_t number;
    memcpy(&number, at, sizeof number);
    if (number == 0 && kind != NUMBERS) continue;
    if (kind == NUMBERS)
      lua_pushinteger(L, number);
    else
      push_known(L, h, known, kind, number);
    lua_rawseti(L, -2, i);
  }
  lua_remove(L, known);
}

/* Pushes a table of the columns. */
static void push_columns(lua_State *L, const pl_program *it) {
  const uint32_t count[] = {it->nkept, it->noperands, it->nblocks, it->nedges};
  const size_t size[] = {sizeof(value_row), sizeof(uint32_t), sizeof(block_row),
                         sizeof(edge_row)};
  const char *at[4];
  at[VALUES] = lua_pushlstring(L, it->h->buf.at, it->h->buf.n);
  at[OPERANDS] = at[VALUES] + (count[VALUES] + (size_t)1) * size[VALUES];
  at[BLOCKS] = at[OPERANDS] + count[OPERANDS] * size[OPERANDS];
  at[EDGES] = at[BLOCKS] + (count[BLOCKS] + (size_t)1) * size[BLOCKS];
  lua_newtable(L);
  for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
    const column *c = &columns[i];
    push_column(L, it->h, c->kind, at[c->rows] + c->offset,
                count[c->rows] + c->more, size[c->rows]);
    lua_setfield(L, -2, c->name);
  }
}

/* }== The function =================================================== */

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

/* Takes room for its arrays, in `memory` or in a userdata, which is pushed. */
static void take_memory(lua_State *L, pl_program *it, pl_grown *memory) {
  size_t values = ph_value_count(it->f) + (size_t)1,
         blocks = ph_block_count(it->f) + (size_t)1, bytes;
  uint32_t version = ph_func_version(it->f);
  it->edges = count_edges(it->f);
  bytes = 2 * (values + blocks + it->edges) * sizeof(uint32_t);
  it->kept = memory != NULL ? pl_grown_more(L, memory, bytes)
                            : lua_newuserdatauv(L, bytes, 0);
  memset(it->kept, 0, bytes);
  it->next = it->kept + values;
  it->phis = it->next + values;
  it->insts = it->phis + blocks;
  it->incoming = it->insts + blocks;
  it->operand = it->incoming + it->edges;
  pl_access_read(L, it->h);
  if (ph_func_version(it->f) != version)
    luaL_error(L, "a finalizer has changed the function");
}

void pl_program_read(lua_State *L, pl_program *it, pl_funcobj *h,
                     bool everything, pl_grown *memory) {
  const ph_needed *needed;
  *it = (pl_program){0};
  it->h = h;
  it->f = pl_access_read(L, h);
  it->everything = everything;
  take_memory(L, it, memory);
  it->o = pl_analysis_order(h);
  it->nblocks = ph_rpo_count(it->o);
  needed = pl_analysis_needed(h);
  for (uint32_t i = 0; i < it->nblocks; i++) {
    uint32_t n = 0, all = 0;
    uint32_t e = ph_block_firstpred(it->f, ph_rpo_at(it->o, i));
    for (; e != 0; e = ph_block_nextpred(it->f, e)) {
      it->operand[e] = all++;
      if (ph_rpo_isreached(it->o, ph_block_edgefrom(it->f, e)))
        it->incoming[e] = ++n;
    }
    add_projections(it, ph_rpo_at(it->o, i));
  }
  uint32_t n = ph_value_nparams(it->f);
  for (uint32_t i = 0; i < n; i++)
    it->kept[it->nkept++] = ph_value_param(it->f, i).id;
  for (uint32_t i = 0; i < it->nblocks; i++) keep_block(it, i, needed);
  it->phis[it->nblocks] = it->nkept;
}

/* phial.core.program(fn): the columns of what instructions with effects need */
static int l_program(lua_State *L) {
  pl_program it;
  pl_program_read(L, &it, pl_arg_self(L, PL_KIND_FUNC), false, NULL);
  gather_all(&it);
  push_columns(L, &it);
  return pl_access_return(L, it.h, 1);
}

/* phial.core.constant(fn, id): its op, type and value; nil for undef */
static int l_constant(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  lua_Integer id = luaL_checkinteger(L, 2);
  const ph_func *f = pl_access_read(L, h);
  ph_value v;
  ph_op op;
  ph_type type;
  luaL_argcheck(L, id > 0 && id <= ph_value_count(f), 2, "no such value");
  v.id = (uint32_t)id;
  op = ph_value_op(f, v);
  type = ph_value_type(f, v);
  push_name(L, h, OPS, op);
  push_name(L, h, TYPES, type);
  if (op != PH_CONST) return 2;
  f = pl_access_read(L, h);
  pl_literal_push(L, f, type, ph_value_data(f, v));
  return 3;
}

static int push_handle(lua_State *L, int kind) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  lua_Integer id = luaL_checkinteger(L, 2);
  uint32_t most = kind == PL_KIND_VALUE ? ph_value_count(pl_access_read(L, h))
                                        : ph_block_count(pl_access_read(L, h));
  luaL_argcheck(L, id > 0 && id <= most, 2, "no such thing");
  if (kind == PL_KIND_VALUE)
    pl_handle_pushvalue(L, 1, (ph_value){(uint32_t)id});
  else
    pl_handle_pushblock(L, 1, (ph_block){(uint32_t)id});
  return 1;
}

/* phial.core.value(fn, id), phial.core.block(fn, id): the thing of that id */
static int l_value(lua_State *L) { return push_handle(L, PL_KIND_VALUE); }
static int l_block(lua_State *L) { return push_handle(L, PL_KIND_BLOCK); }

/* }=================================================================== */

const pl_method pl_program_methods[] = {
    {PL_OF_MODULE, "program", l_program},
    {PL_OF_MODULE, "constant", l_constant},
    {PL_OF_MODULE, "value", l_value},
    {PL_OF_MODULE, "block", l_block},
    {0},
};
