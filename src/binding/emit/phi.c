/* phi.c: block:phi{[predecessor] = value}, a phi made by hand.
**
** A phi has an operand for each edge; several edges from one predecessor have
** the same value.  Values stay in the table and are fetched when needed: there
** may be more of them than fit on the stack.  An edge that was folded away, or
** that leaves a dead block, has no operand; the value given for it is ignored,
** so a frontend need not know.
*/
#include <stdlib.h>

#include "binding/args/payload.h"
#include "binding/emit/emission.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

typedef struct {
  pl_funcobj *h;
  ph_block b;
  ph_type type;
  uint32_t n;
  ph_value *args;  /* by edge; none for a literal */
  ph_block *preds; /* sorted */
} handphi;

/* Pushes what the table has for the edge. */
static void push_operand(lua_State *L, const handphi *p, uint32_t edge) {
  ph_block from = ph_block_edgefrom(p->h->f, edge);
  pl_handle_find(L, p->h, PL_KIND_BLOCK, from.id); /* nil: it cannot be a key */
  if (!lua_isnil(L, -1)) lua_rawget(L, 2);
  if (lua_isnil(L, -1))
    pl_error(L, p->h, "phi in block '%b': no value for predecessor '%b'", p->b,
             from);
}

/* Takes operand i, the value on top; the first one that is not a literal
** determines the type. */
static void take_operand(lua_State *L, handphi *p, uint32_t i) {
  int top = lua_gettop(L);
  ph_type type;
  p->args[i].id = 0;
  if (pl_literal_is(L, top)) return;
  p->args[i] = pl_handle_valueat(L, p->h, top, 2);
  type = ph_value_type(p->h->f, p->args[i]);
  if (type == PH_NOTYPE)
    pl_error(L, p->h, "phi in block '%b': '%i' has no result", p->b,
             p->args[i]);
  if (p->type == PH_NOTYPE) p->type = type;
  if (p->type != type)
    pl_error(L, p->h, "phi in block '%b': %t expected, got %g", p->b, p->type,
             top);
}

static void check_literal(lua_State *L, handphi *p) {
  if (p->type == PH_NOTYPE) p->type = pl_literal_alone(L, -1);
  if (!pl_literal_fits(L, -1, p->type))
    pl_error(L, p->h, "phi in block '%b': %t expected, got %g", p->b, p->type,
             -1);
}

/* All keys must be predecessors, folded edges included. */
static void check_keys(lua_State *L, handphi *p) {
  qsort(p->preds, p->n, sizeof *p->preds, pl_handle_byid);
  for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
    ph_block b = pl_handle_blockat(L, p->h, lua_gettop(L) - 1, 2);
    if (bsearch(&b, p->preds, p->n, sizeof b, pl_handle_byid) == NULL &&
        !ph_build_isfolded(p->h->f, b, p->b))
      pl_error(L, p->h, "phi in block '%b': '%b' is not a predecessor of it",
               p->b, b);
    if (p->n == 0) {
      /* Without any edge left, the values still determine the type. */
      take_operand(L, p, 0);
      if (!ph_some(p->args[0])) check_literal(L, p);
    }
  }
}

static void check_operands(lua_State *L, handphi *p) {
  uint32_t first = ph_block_firstpred(p->h->f, p->b), i = 0;
  for (uint32_t e = first; e != 0; e = ph_block_nextpred(p->h->f, e)) {
    push_operand(L, p, e);
    p->preds[i] = ph_block_edgefrom(p->h->f, e);
    take_operand(L, p, i++);
    lua_pop(L, 1);
  }
  check_keys(L, p);
  i = 0;
  for (uint32_t e = first; e != 0; e = ph_block_nextpred(p->h->f, e)) {
    if (ph_some(p->args[i++])) continue;
    push_operand(L, p, e);
    check_literal(L, p);
    lua_pop(L, 1);
  }
}

static void make_literals(lua_State *L, handphi *p) {
  uint32_t e = ph_block_firstpred(p->h->f, p->b);
  for (uint32_t i = 0; i < p->n; i++, e = ph_block_nextpred(p->h->f, e)) {
    if (ph_some(p->args[i])) continue;
    push_operand(L, p, e);
    p->args[i] = pl_literal_value(L, p->h->f, -1, p->type);
    lua_pop(L, 1);
  }
}

/* True if a key of the table is the source of an edge that was folded away. */
static bool has_folded(lua_State *L, const handphi *p) {
  bool any = false;
  for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
    ph_block b = pl_handle_blockat(L, p->h, lua_gettop(L) - 1, 2);
    any = any || ph_build_isfolded(p->h->f, b, p->b);
  }
  return any;
}

static void check_block(lua_State *L, handphi *p) {
  ph_func *f = p->h->f;
  pl_handle_checkblock(L, p->h, p->b);
  if (!ph_block_issealed(f, p->b))
    pl_error(L, p->h,
             "block '%b' is not sealed: a phi by hand needs to know all "
             "predecessors, so seal it first",
             p->b);
  if (ph_block_npreds(f, p->b) == 0 && !has_folded(L, p))
    pl_error(L, p->h, "block '%b' has no predecessors: no phi can be in it",
             p->b);
}

/* block:phi{[pred] = value} */
static int l_phi(lua_State *L) {
  pl_emission e;
  handphi p = {0};
  ph_value v;
  pl_emission_start(L, &e, 1, 1);
  lua_settop(L, 2);
  pl_arg_table(L, 2);
  p.h = e.h;
  p.b = e.b;
  p.n = ph_block_npreds(p.h->f, p.b);
  p.args = lua_newuserdatauv(L, (p.n + 1) * sizeof *p.args, 0);
  p.preds = lua_newuserdatauv(L, (p.n + 1) * sizeof *p.preds, 0);
  pl_emission_open(L, &e);
  p.b = e.b;
  check_block(L, &p);
  if (ph_block_npreds(p.h->f, p.b) != p.n)
    pl_error(L, p.h, "the predecessors of block '%b' change", p.b);
  check_operands(L, &p);
  pl_access_beginhere(L, p.h, "making a phi in", p.b, PL_WHERE_ALL);
  ph_func *f = p.h->f;
  make_literals(L, &p);
  v = ph_some(e.before) ? ph_edit_newphi(f, p.b, p.type, p.args, p.n)
                        : ph_build_phi(f, p.b, p.type, p.args, p.n);
  pl_access_end(p.h);
  pl_handle_give(L, p.h, 0, PL_KIND_VALUE, v.id);
  return pl_access_return(L, p.h, 1);
}

const pl_method pl_phi_methods[] = {
    {PL_OF_POSITION, "phi", l_phi},
    {0},
};
