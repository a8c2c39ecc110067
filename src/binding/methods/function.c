/* function.c: methods of functions: making things in them, looking at them. */
#include <limits.h>

#include "binding/args/classes.h"
#include "binding/args/operand.h"
#include "binding/args/payload.h"
#include "binding/methods/new_function.h"
#include "binding/rules/callback.h"
#include "binding/rules/ruleset.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/funcobj.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

static const ph_block nowhere = {0};

/*
** {== Making =========================================================
*/

static int l_var(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 0, 2);
  ph_str name;
  bool has_type = !lua_isnoneornil(L, 3);
  ph_type type;
  ph_var var;
  pl_handle *it;
  pl_access_change(L, h);
  name = pl_arg_optstr(L, 2);
  it = pl_handle_prepare(L, h, 1, PL_KIND_VAR);
  pl_access_change(L, h);
  type = has_type ? pl_arg_type(L, h, 3) : h->type;
  pl_access_beginhere(L, h, "making a variable of", nowhere,
                      h->undef_policy == PL_UNDEF_ERROR ||
                              h->undef_policy == PL_UNDEF_UNWRITTEN
                          ? PL_WHERE_BLOCKS
                          : PL_WHERE_ALL);
  var = ph_var_new(h->f, name, type);
  pl_handle_settle(L, it, PL_KIND_VAR, -1, var.id);
  return pl_access_done(L, h, 1);
}

/* Refuses a function that can get no block: one without a body. */
static void check_growing(lua_State *L, pl_funcobj *h) {
  if (h->complete)
    pl_access_edit(L, h);
  else
    pl_access_open(L, h);
}

/* fn:block([name[, preds]]); in a finished function, without `preds` */
static int l_block(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 0, 2);
  ph_str name;
  int preds = -1;
  ph_block b;
  pl_handle *it;
  check_growing(L, h);
  name = pl_arg_optstr(L, 2);
  if (!lua_isnoneornil(L, 3)) preds = (int)pl_arg_int(L, 3, 0, INT_MAX);
  it = pl_handle_prepare(L, h, 1, PL_KIND_BLOCK);
  check_growing(L, h);
  if (preds >= 0 && ph_finish_isdone(h->f))
    pl_error_arg(L, h, 3,
                 "function '%f' is finished: blocks that are made now have no "
                 "predecessors until edges are redirected to them");
  pl_access_beginhere(L, h, "making a block of", nowhere, PL_WHERE_BLOCKS);
  b = ph_finish_isdone(h->f) ? ph_edit_newblock(h->f, name)
                             : ph_block_new(h->f, name, preds);
  pl_handle_settle(L, it, PL_KIND_BLOCK, -1, b.id);
  return pl_access_done(L, h, 1);
}

static int push_value(lua_State *L, pl_funcobj *h, ph_value v) {
  pl_access_end(h);
  pl_handle_pushvalue(L, 1, v);
  return pl_access_return(L, h, 1);
}

/* The type of the constant that fn:const makes. */
static ph_type const_type(lua_State *L, pl_funcobj *h) {
  bool is_nil = lua_isnil(L, 2);
  ph_type type = PH_NOTYPE;
  if (!lua_isnoneornil(L, 3)) type = pl_arg_type(L, h, 3);
  if (is_nil && (type == PH_ANY || type == PH_NOTYPE)) return PH_ANY;
  if (is_nil) pl_error_arg(L, h, 2, "nil is a constant of type any only");
  if (!pl_literal_is(L, 2))
    pl_error_arg(L, h, 2, "constant expected, got %g", 2);
  return pl_operand_typed(L, h, 2, type, (ph_var){0});
}

static int l_const(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 1, 2);
  ph_type type;
  pl_access_change(L, h);
  type = const_type(L, h);
  pl_access_begin(h, "making a constant of", nowhere);
  return push_value(L, h, pl_literal_value(L, h->f, 2, type));
}

static int l_undef(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 1, 1);
  ph_type type;
  pl_access_change(L, h);
  type = pl_arg_type(L, h, 2);
  pl_access_begin(h, "making a constant of", nowhere);
  return push_value(L, h, ph_const_undef(h->f, type));
}

/* }== Contents ======================================================= */

/* Takes argument 2, the number of a parameter; returns it counted from 0. */
static uint32_t take_param(lua_State *L, pl_funcobj *h) {
  uint32_t n = ph_value_nparams(pl_access_read(L, h));
  if (n == 0) pl_error(L, h, "function '%f' has no parameters");
  return (uint32_t)pl_arg_int(L, 2, 1, n) - 1;
}

static int l_param(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 1, 1);
  pl_handle_pushvar(L, 1, (ph_var){h->first_var + take_param(L, h)});
  return 1;
}

static int l_arg(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 1, 1);
  uint32_t i = take_param(L, h);
  pl_handle_pushvalue(L, 1, ph_value_param(h->f, i));
  return 1;
}

/* Pushes how parameter i, from 1, or the result, 0, is passed. */
static void push_passing(lua_State *L, pl_funcobj *h, uint32_t i) {
  static const char *const words[] = {NULL,      "zeroext", "signext",
                                      "va_list", "byval ",  "sret "};
  ph_passing passing = ph_func_passing(pl_access_read(L, h), i);
  ph_str members = ph_func_struct(h->f, i);
  if (passing == PH_PLAIN) {
    lua_pushnil(L);
    return;
  }
  if (members.n > 0) lua_pushlstring(L, members.at, members.n);
  lua_pushstring(L, words[passing]);
  if (members.n == 0) return;
  lua_insert(L, -2);
  lua_concat(L, 2);
}

/* fn:passing(i) */
static int l_passing(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 0, 1);
  push_passing(L, h, lua_isnone(L, 2) ? 0 : take_param(L, h) + 1);
  return 1;
}

static void push_type(lua_State *L, const ph_func *f, ph_type type) {
  ph_str name = ph_type_name(f, type);
  if (type == PH_NOTYPE)
    lua_pushnil(L);
  else
    lua_pushlstring(L, name.at, name.n);
}

/* phial.core.interface(fn): how it is called, as code/symbols.lua says */
static int l_interface(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  bool by_value = false;
  uint32_t n = ph_value_nparams(pl_access_read(L, h));
  lua_settop(L, 1);
  lua_createtable(L, 0, 6);
  lua_createtable(L, (int)n, 0);
  lua_createtable(L, (int)n, 0);
  for (uint32_t i = 0; i < n; i++) {
    const ph_func *f = pl_access_read(L, h);
    by_value = by_value || ph_func_passing(f, i + 1) >= PH_VALIST;
    push_type(L, f, ph_value_type(f, ph_value_param(f, i)));
    lua_rawseti(L, 3, (lua_Integer)i + 1);
    push_passing(L, h, i + 1);
    lua_rawseti(L, 4, (lua_Integer)i + 1);
  }
  lua_setfield(L, 2, "passings");
  lua_setfield(L, 2, "types");
  push_type(L, pl_access_read(L, h), ph_func_result(h->f));
  lua_setfield(L, 2, "result");
  n = ph_func_nresults(pl_access_read(L, h));
  if (n > 1) {
    lua_createtable(L, (int)n, 0);
    for (uint32_t i = 0; i < n; i++) {
      const ph_func *f = pl_access_read(L, h);
      push_type(L, f, ph_func_resulttype(f, i));
      lua_rawseti(L, 3, (lua_Integer)i + 1);
    }
    lua_setfield(L, 2, "results");
  }
  push_passing(L, h, 0);
  lua_setfield(L, 2, "passing");
  lua_pushboolean(L, ph_func_options(pl_access_read(L, h)).variadic);
  lua_setfield(L, 2, "variadic");
  lua_pushboolean(L, by_value);
  lua_setfield(L, 2, "by_value");
  return 1;
}

static int l_stats(lua_State *L) {
  pl_funcobj *h = pl_arg_only(L, PL_KIND_FUNC);
  ph_stats s = ph_func_stats(pl_access_read(L, h));
  const struct {
    const char *name;
    uint32_t n;
  } rows[] = {{"blocks", s.blocks},
              {"values", s.values},
              {"phis", s.phis},
              {"temporary_phis", s.temporary_phis},
              {"trivial_phis", s.trivial_phis},
              {"redundant_phis", s.redundant_phis},
              {"folded", s.emitting.folded},
              {"applied", s.emitting.applied},
              {"merged", s.emitting.merged},
              {"late_folded", s.later.folded},
              {"late_applied", s.later.applied},
              {"late_merged", s.later.merged},
              {"exhausted", s.exhausted},
              {"dropped_refinements", s.dropped_refinements}};
  const int n = (int)(sizeof rows / sizeof *rows);
  lua_createtable(L, 0, n);
  for (int i = 0; i < n; i++) pl_userdata_setnumber(L, rows[i].name, rows[i].n);
  if (pl_ruleset_isopen(h->rules)) {
    pl_callback_pushhits(L, h);
    lua_setfield(L, -2, "rules");
  }
  return 1;
}

/* phial.core.is_frozen(fn): true if it was parsed from the text of an
** unfinished function */
static int l_is_frozen(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  lua_pushboolean(L, ph_finish_isfrozen(pl_access_read(L, h)));
  return 1;
}

/* phial.core.is_usable(fn): true; or false and why, if it is closed, waits for
** memory or is broken */
static int l_is_usable(lua_State *L) {
  const pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  const char *why = pl_userdata_isclosed(h) ? "closed"
                    : h->now.collecting
                        ? "waiting for memory"
                        : "broken: memory ran out while it was changed";
  lua_pushboolean(L, pl_userdata_isusable(h));
  if (pl_userdata_isusable(h)) return 1;
  lua_pushstring(L, why);
  return 2;
}

/* phial.core.fits(fn, literal, type): true if it can be a constant of that type
*/
static int l_fits(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  pl_access_read(L, h);
  lua_pushboolean(L, pl_literal_is(L, 2) &&
                         pl_literal_fits(L, 2, pl_arg_type(L, h, 3)));
  return 1;
}

/* fn:dialect(name): the attached dialect of that name, or nil */
static int l_dialect(lua_State *L) {
  pl_funcobj *h = pl_arg_method(L, PL_KIND_FUNC, 1, 1);
  pl_access_read(L, h);
  pl_funcobj_pushdialect(L, 1, pl_arg_str(L, 2));
  return 1;
}

/* }== Iterators ====================================================== */

/* Pushes what a generic for needs: `next` as a method, the function and nil. */
static int push_iterator(lua_State *L, lua_CFunction next) {
  pl_funcobj *h = pl_arg_only(L, PL_KIND_FUNC);
  pl_access_read(L, h);
  pl_userdata_pushfunction(L, next,
                           lua_tostring(L, lua_upvalueindex(PL_UP_NAME)), 0);
  lua_pushvalue(L, 1);
  lua_pushnil(L);
  return 3;
}

static int next_block(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  ph_func *f = pl_access_read(L, h);
  ph_block b = {0};
  if (!lua_isnoneornil(L, 2)) b = pl_handle_argblock(L, h, 2);
  b = ph_block_next(f, b);
  pl_handle_pushblock(L, 1, b);
  return 1;
}

static ph_value first_in(const ph_func *f, ph_block b) {
  const ph_value none = {0};
  ph_value v = ph_block_nextphi(f, b, none);
  return ph_some(v) ? v : ph_block_nextinst(f, b, none);
}

/* The first value of the first block after b that has one. */
static ph_value first_after(const ph_func *f, ph_block b) {
  ph_value v = {0};
  for (b = ph_block_next(f, b); ph_some(b); b = ph_block_next(f, b)) {
    v = first_in(f, b);
    if (ph_some(v)) return v;
  }
  return v;
}

static ph_value value_after(const ph_func *f, ph_value v) {
  const ph_value none = {0};
  ph_block b = ph_value_block(f, v);
  bool is_phi = ph_value_op(f, v) == PH_PHI;
  ph_value next =
      is_phi ? ph_block_nextphi(f, b, v) : ph_block_nextinst(f, b, v);
  if (!ph_some(next) && is_phi) next = ph_block_nextinst(f, b, none);
  return ph_some(next) ? next : first_after(f, b);
}

/* The value that the traversal has reached must not have left its block. */
static ph_value take_control(lua_State *L, pl_funcobj *h) {
  const pl_handle *at = pl_userdata_test(L, 2, PL_KIND_VALUE);
  ph_value reached = {at != NULL && at->owner == h ? at->id : 0}, v = reached;
  bool erased = ph_some(v) && ph_value_isdropped(h->f, v);
  if (!erased) v = pl_handle_argvalue(L, h, 2);
  if (erased || !ph_same(v, reached) || !ph_some(ph_value_block(h->f, v)))
    pl_error(L, h, "'%v' went away during the traversal of fn:values()", v);
  return v;
}

static int next_value(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  ph_func *f = pl_access_read(L, h);
  ph_value v = lua_isnoneornil(L, 2) ? first_after(f, nowhere)
                                     : value_after(f, take_control(L, h));
  pl_handle_pushvalue(L, 1, v);
  return 1;
}

static int l_blocks(lua_State *L) { return push_iterator(L, next_block); }

static int l_values(lua_State *L) { return push_iterator(L, next_value); }

/* }== Parts of a module ==============================================
**
** The module itself is made in Lua (phial.module).  A function has it, and the
** table of its symbols, as user values: a call by name looks the callee up.
*/

/* phial.core.join(fn, module, symbols): makes the function part of the module;
** symbols: functions and other things of the module, by name */
static int l_join(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  pl_arg_count(L, 3, 3);
  pl_arg_table(L, 3);
  pl_access_read(L, h);
  lua_setiuservalue(L, 1, PL_ITS_SYMBOLS);
  lua_setiuservalue(L, 1, PL_ITS_MODULE);
  return 0;
}

/* phial.core.watch(fn, runs): once the function may change, or is closed, each
** table in the set of keys `runs` gets true as its first element and is removed
** from the set */
static int l_watch(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  pl_arg_count(L, 2, 2);
  pl_arg_table(L, 2);
  pl_access_read(L, h);
  lua_rawsetp(L, LUA_REGISTRYINDEX, h);
  h->is_watched = true;
  return 0;
}

/* phial.core.declare(fn, opts): makes a new function a declaration, with the
** options `reads` and `writes` */
static int l_declare(lua_State *L) {
  const ph_effects all = {PH_EFFECTS_ALL, PH_EFFECTS_ALL};
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  pl_said said;
  pl_access_open(L, h);
  pl_classes_take(L, h, PH_CALL, 2, &said);
  pl_access_open(L, h);
  pl_classes_checkroom(L, h, &said);
  pl_access_begin(h, "declaring", ph_block_entry(h->f));
  ph_func_declare(h->f);
  if (pl_classes_any(&said))
    ph_effects_declare(h->f, pl_classes_make(L, h->f, &said, all));
  pl_access_endinner(h);
  pl_access_notecomplete(h);
  return 0;
}

/* }=================================================================== */

const pl_method pl_function_methods[] = {
    {PL_OF_FUNC, "var", l_var},
    {PL_OF_FUNC, "block", l_block},
    {PL_OF_FUNC, "const", l_const},
    {PL_OF_FUNC, "undef", l_undef},
    {PL_OF_FUNC, "param", l_param},
    {PL_OF_FUNC, "arg", l_arg},
    {PL_OF_FUNC, "passing", l_passing},
    {PL_OF_FUNC, "stats", l_stats},
    {PL_OF_FUNC, "blocks", l_blocks},
    {PL_OF_FUNC, "values", l_values},
    {PL_OF_FUNC, "dialect", l_dialect},
    {PL_OF_MODULE, "join", l_join},
    {PL_OF_MODULE, "watch", l_watch},
    {PL_OF_MODULE, "interface", l_interface},
    {PL_OF_MODULE, "declare", l_declare},
    {PL_OF_MODULE, "is_frozen", l_is_frozen},
    {PL_OF_MODULE, "is_usable", l_is_usable},
    {PL_OF_MODULE, "fits", l_fits},
    {0},
};
