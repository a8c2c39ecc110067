/* phi_inputs.c: what edges bring: operands of phis, {[phi] = value}; refined
** variables, {refine = {x, ...}}.
**
** The table of operands is copied first: finalizers, which can run while the
** function is being checked or changed, cannot change the copy.
*/
#include "binding/args/phi_inputs.h"

#include <stdlib.h>

#include "binding/args/payload.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"

static void set_next(lua_State *L, int list, int at) {
  lua_pushvalue(L, at);
  lua_rawseti(L, list, (lua_Integer)lua_rawlen(L, list) + 1);
}

void pl_phi_inputs_take(lua_State *L, pl_phi_inputs *in, int at, int arg) {
  in->n = 0;
  in->at = NULL;
  in->arg = arg;
  if (lua_isnoneornil(L, at)) return;
  if (!lua_istable(L, at))
    pl_error_plainarg(L, arg, "a table of values by phi expected, got %s",
                      pl_error_type(L, at));
  luaL_checkstack(L, 8, NULL);
  lua_newtable(L);
  in->list = lua_gettop(L);
  for (lua_pushnil(L); lua_next(L, at) != 0; lua_pop(L, 1)) {
    set_next(L, in->list, in->list + 1);
    set_next(L, in->list, in->list + 2);
    in->n++;
  }
  in->at = lua_newuserdatauv(L, (in->n + 1) * sizeof *in->at, 0);
  in->phis = lua_newuserdatauv(L, (in->n + 1) * sizeof *in->phis, 0);
}

/*
** {== Checking =======================================================
*/

static bool is_among(const ph_block *blocks, uint32_t n, ph_block b) {
  return bsearch(&b, blocks, n, sizeof b, pl_handle_byid) != NULL;
}

/* Checks the key on top. */
static ph_value check_phi(lua_State *L, pl_funcobj *h,
                          const pl_phi_inputs *in) {
  ph_value phi;
  int top = lua_gettop(L);
  if (pl_userdata_test(L, top, PL_KIND_VALUE) == NULL)
    pl_error_arg(L, h, in->arg, "a phi expected as key, got %g", top);
  phi = pl_handle_valueat(L, h, top, in->arg);
  if (ph_value_op(h->f, phi) != PH_PHI)
    pl_error_arg(L, h, in->arg, "a phi expected as key, got %g", top);
  return phi;
}

/* Checks the value on top, which is for the phi; returns none for a literal. */
static ph_value check_value(lua_State *L, pl_funcobj *h,
                            const pl_phi_inputs *in, ph_value phi) {
  ph_type type = ph_value_type(h->f, phi);
  ph_value v = {0};
  int top = lua_gettop(L);
  bool fits;
  if (pl_literal_is(L, top)) {
    fits = pl_literal_fits(L, top, type);
  } else {
    v = pl_handle_valueat(L, h, top, in->arg);
    fits = ph_value_type(h->f, v) == type;
  }
  if (!fits)
    pl_error(L, h, "phi '%v' in block '%b': %t expected, got %g", phi,
             ph_value_block(h->f, phi), type, top);
  return v;
}

static void check_one(lua_State *L, pl_funcobj *h, pl_phi_inputs *in,
                      uint32_t i) {
  ph_value phi, v;
  lua_rawgeti(L, in->list, 2 * (lua_Integer)i + 1);
  phi = check_phi(L, h, in);
  lua_rawgeti(L, in->list, 2 * (lua_Integer)i + 2);
  v = check_value(L, h, in, phi);
  in->at[i] = (ph_incoming){phi, v};
  in->phis[i] = phi.id;
  lua_pop(L, 2);
}

static void check_wanted(lua_State *L, pl_funcobj *h, ph_block b,
                         const pl_phi_inputs *in, const ph_block *news,
                         uint32_t n) {
  for (uint32_t i = 0; i < in->n; i++) {
    ph_value phi = {in->phis[i]};
    ph_block home = ph_value_block(h->f, phi);
    if (!is_among(news, n, home))
      pl_error(L, h,
               "phi '%v' is in block '%b', to which '%b' gets no new edge", phi,
               home, b);
    if (i > 0 && in->phis[i - 1] == phi.id)
      pl_error(L, h, "phi '%v' in block '%b': two values for it", phi, home);
  }
}

void pl_phi_inputs_check(lua_State *L, pl_funcobj *h, ph_block b,
                         pl_phi_inputs *in, const ph_block *news, uint32_t n) {
  for (uint32_t i = 0; i < in->n; i++) check_one(L, h, in, i);
  if (in->n > 0) qsort(in->phis, in->n, sizeof *in->phis, pl_handle_byid);
  check_wanted(L, h, b, in, news, n);
  for (uint32_t k = 0; k < n; k++) {
    ph_value phi = ph_block_nextphi(h->f, news[k], (ph_value){0});
    for (; ph_some(phi); phi = ph_block_nextphi(h->f, news[k], phi))
      if (in->n == 0 ||
          bsearch(&phi, in->phis, in->n, sizeof phi.id, pl_handle_byid) == NULL)
        pl_error(L, h, "phi '%v' in block '%b': no value for predecessor '%b'",
                 phi, news[k], b);
  }
}

/* }== Making ========================================================= */

void pl_phi_inputs_make(lua_State *L, ph_func *f, pl_phi_inputs *in) {
  for (uint32_t i = 0; i < in->n; i++) {
    ph_incoming *it = &in->at[i];
    if (ph_some(it->value)) continue;
    lua_rawgeti(L, in->list, 2 * (lua_Integer)i + 2);
    it->value = pl_literal_value(L, f, -1, ph_value_type(f, it->phi));
    lua_pop(L, 1);
  }
}

/* }== Refinements ==================================================== */

void pl_refinements_take(lua_State *L, pl_funcobj *h, int at,
                         pl_refinements *r) {
  static const char *const known[] = {"refine", "split"};
  r->vars = r->few;
  if (lua_isnil(L, at)) return;
  pl_arg_table(L, at);
  pl_arg_fields(L, at, known, 2);
  r->split = h->split;
  if (pl_arg_field(L, at, "split") != LUA_TNIL)
    r->split = pl_arg_boolopt(L, at, "split");
  lua_pop(L, 1);
  if (pl_arg_field(L, at, "refine") == LUA_TTABLE)
    r->n = (uint32_t)pl_arg_list(L, at, lua_gettop(L), "option 'refine'");
  if (r->n > PL_REFINEMENTS_FEW) {
    r->vars = lua_newuserdatauv(L, r->n * sizeof *r->vars, 0);
    lua_insert(L, -2);
  }
  pl_access_open(L, h);
  if (!lua_istable(L, -1) && !lua_isnil(L, -1))
    pl_error_arg(L, h, at,
                 "option 'refine': a list of variables expected, got %g",
                 lua_gettop(L));
  for (uint32_t i = 0; i < r->n; i++)
    r->vars[i] = pl_handle_listvar(L, h, at, lua_gettop(L),
                                   "option 'refine': variable", i + 1);
  lua_pop(L, 1);
}

/* }=================================================================== */
