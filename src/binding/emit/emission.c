/* emission.c: an instruction to be made, as it is read from the stack. */
#include "binding/emit/emission.h"

#include <string.h>

#include "binding/args/dialect.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"

/*
** {== Reading the arguments ==========================================
*/

/* True if the arguments of the op's method are not its operands. */
static bool has_own_method(ph_op op) {
  return op == PH_PHI || op == PH_PROJ || op == PH_CALL ||
         op == PH_CALL_INDIRECT || op == PH_ALLOCA || op == PH_ADDRESS ||
         (ph_op_row(op)->flags & PH_TERMINATOR) != 0;
}

/* Sets e->op to what the name at `arg` means. */
static void find_op(lua_State *L, pl_emission *e, int arg) {
  ph_op op = pl_arg_op(L, e->h, arg);
  if (op < PH_OPS && has_own_method(op))
    pl_error_arg(L, e->h, arg, "'%o' has a method of its own: block:%o", op,
                 op);
  if (ph_op_flags(e->h->f, op) & PH_LEAF)
    pl_error_arg(L, e->h, arg, "'%o' is not an instruction", op);
  e->op = op;
}

void pl_emission_takeop(lua_State *L, pl_emission *e, int arg) {
  if (lua_type(L, arg) == LUA_TSTRING)
    find_op(L, e, arg);
  else
    e->op = pl_dialect_attach_op(L, e->h, 0, arg, &e->spec);
}

bool pl_emission_endsblock(const pl_emission *e) {
  int flags = e->spec != NULL ? e->spec->flags : ph_op_flags(e->h->f, e->op);
  return (flags & PH_TERMINATOR) != 0;
}

static bool says_results(const pl_emission *e) {
  return e->op >= PH_OPS && ph_op_nresults(e->h->f, e->op) == PH_RESULTS_SAID;
}

/* Takes the number of results on top, if any. */
static void take_results(lua_State *L, pl_emission *e) {
  lua_Integer n;
  if (lua_isnil(L, -1)) return;
  if (!says_results(e))
    pl_error(L, e->h, "the number of results of '%o' cannot be said", e->op);
  n = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : 0;
  if (n < 1 || n > INT16_MAX)
    pl_error(L, e->h, "'%o': results: a number from 1 to %d expected, got %g",
             e->op, INT16_MAX, lua_gettop(L));
  e->results = (int)n;
}

/* Pushes the datum in the table at `extra`; returns its stack index, or 0. */
static int push_extra(lua_State *L, pl_emission *e, int extra) {
  static const char *const known[] = {"data", "results"};
  bool has_data;
  pl_arg_fields(L, extra, known, 2);
  has_data = pl_arg_field(L, extra, "data") != LUA_TNIL;
  pl_arg_field(L, extra, "results");
  pl_access_read(L, e->h); /* finalizers may have run */
  take_results(L, e);
  lua_pop(L, 1);
  if (has_data) return lua_gettop(L);
  lua_pop(L, 1);
  return 0;
}

/* Mostly `data` is the only field, so one step through the table finds it. */
static int push_data(lua_State *L, pl_emission *e, int extra) {
  int at;
  lua_pushnil(L);
  if (!lua_next(L, extra)) return 0;
  at = lua_gettop(L);
  if (lua_type(L, at - 1) == LUA_TSTRING &&
      strcmp(lua_tostring(L, at - 1), "data") == 0) {
    lua_pushvalue(L, at - 1);
    if (!lua_next(L, extra)) return at;
  }
  lua_settop(L, at - 2);
  return push_extra(L, e, extra);
}

/* Drops nils after the arguments that the op takes; returns the type of what is
** then last. */
static int drop_nils(lua_State *L, pl_emission *e, int first) {
  int takes = ph_op_nargs(e->h->f, e->op) + ph_op_needstype(e->h->f, e->op);
  if (ph_op_nargs(e->h->f, e->op) == PH_VARIADIC) takes = 0;
  while (e->top >= first + takes && lua_isnil(L, e->top)) e->top--;
  return e->top < first ? LUA_TNONE : lua_type(L, e->top);
}

int pl_emission_takedata(lua_State *L, pl_emission *e, int first) {
  int type = e->top < first ? LUA_TNONE : lua_type(L, e->top);
  if (type == LUA_TNIL) type = drop_nils(L, e, first);
  e->data = 0;
  if (type != LUA_TTABLE) return e->top;
  e->data = push_data(L, e, e->top);
  return e->top - 1;
}

/* The type of what a callee returns; an error if the function does not have its
** dialect. */
static ph_type type_of_result(lua_State *L, const pl_emission *e) {
  const ph_func *c = e->callee->f;
  ph_type result = ph_func_result(c);
  ph_type type = pl_callee_type(e->h, e->callee, result);
  if (result != PH_NOTYPE && type == PH_NOTYPE)
    pl_error(L, e->h,
             "function '%S' returns %S.%S: dialect '%S' is missing in the "
             "option 'dialects' of '%f'",
             ph_func_name(c), ph_type_dialect(c, result),
             ph_type_name(c, result), ph_type_dialect(c, result));
  return type;
}

void pl_emission_takecallee(lua_State *L, pl_emission *e, int at, int type) {
  pl_callee_check(L, e->h, at);
  e->op = PH_CALL;
  e->data = pl_callee_resolve(L, e->h, pl_emission_owner(L, e), at);
  e->callee = pl_callee_signature(L, e->data);
  if (type == 0) return;
  e->type = PH_NOTYPE;
  if (type <= e->top && lua_toboolean(L, type))
    e->type = pl_arg_type(L, e->h, type);
  else if (e->callee != NULL && (type > e->top || lua_isnil(L, type)))
    e->type = type_of_result(L, e);
}

/* }== Checking and making ============================================ */

int pl_emission_countresults(lua_State *L, const pl_emission *e) {
  if (e->op == PH_CALL || e->op == PH_CALL_INDIRECT)
    return e->type != PH_NOTYPE;
  if (e->op < PH_OPS) return ph_op_row(e->op)->signature[0] != '-';
  if (e->spec != NULL && e->spec->nresults < 2)
    return e->spec->result != PH_NOTYPE;
  pl_access_read(L, e->h); /* finalizers may have run */
  return says_results(e) ? e->results : ph_op_nresults(e->h->f, e->op);
}

void pl_emission_keep(lua_State *L, pl_emission *e) {
  if (e->data == 0) return;
  if (e->op < PH_OPS && (ph_op_flags(e->h->f, e->op) & PH_SYMBOLIC))
    e->symbol = pl_payload_keepsymbol(L, e->h, e->fn, e->data);
  else
    pl_payload_keep(L, e->h, e->fn, e->data);
}

/* Puts an instruction at the end of the block, or at the cursor. */
static ph_value put(const pl_emission *e, ph_op op, const ph_value *args,
                    uint32_t n, ph_data data) {
  ph_func *f = e->h->f;
  ph_value v;
  if (!ph_some(e->before))
    return ph_build_emitdata(f, e->b, op, e->type, args, n, data);
  v = ph_edit_insert(f, e->before, op, e->type, args, n);
  if (data.tag != PH_DATA_NONE) ph_value_setdata(f, v, data);
  return v;
}

ph_value pl_emission_make(lua_State *L, pl_emission *e) {
  pl_funcobj *h = e->h;
  ph_data data = {0, PH_DATA_NONE};
  pl_operand_make(L, h->f, &e->operands);
  if (e->symbol.at != 0)
    data = pl_payload_ofsymbol(L, h, &e->symbol);
  else if (e->data != 0)
    data = pl_payload_of(L, h, e->data);
  return put(e, e->op, e->operands.args, (uint32_t)e->operands.n, data);
}

ph_value pl_emission_makeproj(const pl_emission *e, ph_value v, int k) {
  const ph_data which = {(uint64_t)k, PH_DATA_INT};
  return put(e, PH_PROJ, &v, 1, which);
}

/* }=================================================================== */
