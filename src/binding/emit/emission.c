/* emission.c: how instructions are made, from the arguments to the results. */
#include "binding/emit/emission.h"

#include <string.h>

#include "binding/args/dialect.h"
#include "binding/emit/cursor.h"
#include "binding/rules/callback.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"

/*
** {== Start ==========================================================
*/

void pl_emission_selfcursor(lua_State *L, pl_emission *e, int top) {
  const pl_handle *me;
  lua_settop(L, top);
  me = pl_userdata_test(L, 1, PL_KIND_CURSOR);
  if (me == NULL) pl_arg_badself(L, PL_KIND_BLOCK);
  pl_emission_init(e, me->owner, top);
  e->before.id = me->id;
}

void pl_emission_refusecount(lua_State *L, pl_emission *e, int least,
                             int most) {
  lua_settop(L, e->top);
  pl_arg_count(L, least, most);
  e->top = lua_gettop(L);
}

void pl_emission_openedit(lua_State *L, pl_emission *e) {
  pl_access_edit(L, e->h);
  e->b = pl_cursor_block(L, e->h, e->before);
}

void pl_emission_startcurrent(lua_State *L, pl_emission *e, int self) {
  const pl_handle *me = pl_userdata_test(L, self, PL_KIND_VALUE);
  if (me == NULL) me = pl_userdata_test(L, self, PL_KIND_VAR);
  if (me == NULL) pl_arg_badself(L, PL_KIND_VALUE);
  pl_emission_init(e, me->owner, lua_gettop(L));
  if (self != 1) e->fn = pl_handle_pushowner(L, self);
  pl_emission_open(L, e);
  e->b = pl_cursor_current(L, e->h);
}

/* }== Take: op and datum ============================================= */

/* True if the arguments of the op's method are not its operands. */
static bool has_own_method(ph_op op) {
  return op == PH_PHI || op == PH_PROJ || op == PH_CALL ||
         op == PH_CALL_INDIRECT || op == PH_ALLOCA || op == PH_ADDRESS ||
         op == PH_TRAP_IF || (ph_op_row(op)->flags & PH_TERMINATOR) != 0;
}

void pl_emission_takeop(lua_State *L, pl_emission *e, int arg) {
  if (lua_type(L, arg) == LUA_TSTRING) {
    ph_op op = pl_arg_op(L, e->h, arg);
    if (op < PH_OPS && has_own_method(op))
      pl_error_arg(L, e->h, arg, "'%o' has a method of its own: block:%o", op,
                   pl_operand_direct(op));
    if (ph_op_flags(e->h->f, op) & PH_LEAF)
      pl_error_arg(L, e->h, arg, "'%o' is not an instruction", op);
    e->op = op;
  } else {
    e->op = pl_dialect_attach_op(L, e->h, 0, arg, &e->spec);
  }
}

bool pl_emission_endsblock(const pl_emission *e) {
  int flags = e->spec != NULL ? e->spec->flags : ph_op_flags(e->h->f, e->op);
  return (flags & PH_TERMINATOR) != 0;
}

static bool says_results(const pl_emission *e) {
  return e->op >= PH_OPS && ph_op_nresults(e->h->f, e->op) == PH_RESULTS_SAID;
}

/* Says the types of n results, which are pushed, and to be filled in. */
ph_type *pl_emission_sayresults(lua_State *L, pl_emission *e, int n) {
  ph_type *types = lua_newuserdatauv(L, (size_t)n * sizeof *types, 0);
  e->said = types;
  e->results = n;
  return types;
}

/* Takes the types of the results, a list on top, and leaves a copy there. */
static void take_types(lua_State *L, pl_emission *e) {
  int list = lua_gettop(L);
  ph_str dialect = ph_op_dialect(e->h->f, e->op);
  const char *what =
      lua_pushfstring(L, "'%s%s%s': results", dialect.at,
                      dialect.n > 0 ? "." : "", ph_op_name(e->h->f, e->op).at);
  lua_Integer n = pl_arg_list(L, 0, list, what);
  ph_type *types;
  lua_pop(L, 1);
  pl_access_again(L, e->h);
  if (!ph_op_needstype(e->h->f, e->op))
    pl_error(L, e->h, "the types of the results of '%o' cannot be said", e->op);
  if (n < 1 || n > INT16_MAX)
    pl_error(L, e->h, "'%o': results: from 1 to %d types expected, got %d",
             e->op, INT16_MAX, (int)(n > INT_MAX ? INT_MAX : n));
  types = pl_emission_sayresults(L, e, (int)n);
  pl_access_again(L, e->h);
  for (lua_Integer i = 0; i < n; i++) {
    lua_rawgeti(L, list, i + 1);
    if (lua_type(L, -1) != LUA_TSTRING ||
        !ph_type_find(e->h->f, pl_arg_str(L, lua_gettop(L)), &types[i]))
      pl_error(L, e->h, "'%o': results: name of a type expected, got %g", e->op,
               lua_gettop(L));
    lua_pop(L, 1);
  }
  lua_replace(L, list);
  e->type = types[0];
}

/* Takes the number or types of results on top, if any. */
static void take_results(lua_State *L, pl_emission *e) {
  lua_Integer n;
  if (lua_isnil(L, -1)) return;
  if (says_results(e) && lua_istable(L, -1)) {
    take_types(L, e);
    return;
  }
  if (!says_results(e))
    pl_error(L, e->h, "the number of results of '%o' cannot be said", e->op);
  n = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : 0;
  if (n < 1 || n > INT16_MAX)
    pl_error(L, e->h,
             "'%o': results: a number from 1 to %d, or a list of types "
             "expected, got %g",
             e->op, INT16_MAX, lua_gettop(L));
  e->results = (int)n;
}

/* Refuses a list, as fn:params() returns, at `extra`. */
static void refuse_list(lua_State *L, const pl_emission *e, int extra) {
  const char *hint = pl_handle_hint(L, e->h, extra, PL_KIND_VALUE);
  if (*hint != 0)
    pl_error_arg(L, e->h, extra, "operand expected, got %g%s", extra, hint);
}

/* Takes the alignment on top, if any: with 1, an access is the one of bytes that
** need not be aligned. */
static void take_align(lua_State *L, pl_emission *e) {
  bool loads = e->op == PH_LOAD || e->op == PH_LOAD_UNALIGNED;
  if (lua_isnil(L, -1)) return;
  if (!loads && e->op != PH_STORE && e->op != PH_STORE_UNALIGNED)
    pl_error(L, e->h, "'%o' has no option 'align'", e->op);
  if (!lua_isinteger(L, -1) || lua_tointeger(L, -1) != 1)
    pl_error(L, e->h, "'%o': option 'align': 1 expected, got %g", e->op,
             lua_gettop(L));
  e->op = loads ? PH_LOAD_UNALIGNED : PH_STORE_UNALIGNED;
}

/* Pushes the datum in the table at `extra`, after what keeps the types of
** results; returns its stack index, or 0. */
static int push_extra(lua_State *L, pl_emission *e, int extra) {
  static const char *const known[] = {"data", "results", "align", "reads",
                                      "writes"};
  refuse_list(L, e, extra);
  pl_arg_fields(L, extra, known, 5);
  pl_access_again(L, e->h);
  pl_classes_take(L, e->h, e->op, extra, &e->classes);
  pl_arg_field(L, extra, "results");
  pl_arg_field(L, extra, "align");
  pl_access_again(L, e->h);
  take_align(L, e);
  lua_pop(L, 1);
  take_results(L, e);
  if (pl_arg_field(L, extra, "data") != LUA_TNIL) return lua_gettop(L);
  lua_pop(L, 1);
  return 0;
}

/* Mostly `data` is the only field, so one step through the table finds it. */
static int push_data(lua_State *L, pl_emission *e, int extra) {
  int at;
  lua_pushnil(L);
  if (!lua_next(L, extra)) return push_extra(L, e, extra);
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
  if (type != LUA_TTABLE) return e->top;
  e->data = push_data(L, e, e->top);
  return e->top - 1;
}

/* }== Take: calls ==================================================== */

/* The type that result i, from 0, of the callee has in h. */
static ph_type returned_type(lua_State *L, const pl_emission *e, uint32_t i) {
  const ph_func *c = e->callee->f;
  ph_type result = ph_func_resulttype(c, i);
  ph_type type = pl_callee_type(e->h, e->callee, result);
  if (type == PH_NOTYPE)
    pl_error(L, e->h,
             "function '%S' returns %S.%S: dialect '%S' is missing in the "
             "option 'dialects' of '%f'",
             ph_func_name(c), ph_type_dialect(c, result),
             ph_type_name(c, result), ph_type_dialect(c, result));
  return type;
}

/* Gives a call the results that its callee returns. */
static void take_returned(lua_State *L, pl_emission *e) {
  uint32_t n = ph_func_nresults(e->callee->f);
  ph_type *types;
  if (n > 0) e->type = returned_type(L, e, 0);
  if (n < 2) return;
  types = pl_emission_sayresults(L, e, (int)n);
  e->callee = pl_callee_signature(L, e->callee_at);
  if (e->callee == NULL || ph_func_nresults(e->callee->f) != n)
    pl_error(L, e->h, "a finalizer has closed what '%f' calls");
  for (uint32_t i = 0; i < n; i++) types[i] = returned_type(L, e, i);
}

void pl_emission_takeresult(lua_State *L, pl_emission *e, int arg) {
  if (e->callee != NULL) /* finalizers may have closed it */
    e->callee = pl_callee_signature(L, e->callee_at);
  if (arg > e->top || !lua_toboolean(L, arg)) {
    if (e->callee != NULL && (arg > e->top || lua_isnil(L, arg)))
      take_returned(L, e);
  } else if (lua_istable(L, arg)) {
    luaL_checkstack(L, LUA_MINSTACK, NULL);
    lua_pushvalue(L, arg);
    take_types(L, e);
  } else if (lua_type(L, arg) == LUA_TSTRING) {
    e->type = pl_arg_type(L, e->h, arg);
  } else {
    pl_error_arg(L, e->h, arg,
                 "type or types of the results, nil or false expected, got %g",
                 arg);
  }
}

void pl_emission_takecallee(lua_State *L, pl_emission *e, int at, int type) {
  pl_callee_check(L, e->h, at);
  e->op = PH_CALL;
  e->data = pl_callee_resolve(L, e->h, pl_emission_owner(L, e), at);
  e->callee = pl_callee_signature(L, e->data);
  e->callee_at = e->data;
  if (type != 0) pl_emission_takeresult(L, e, type);
}

void pl_emission_takeclasses(lua_State *L, pl_emission *e, int first) {
  static const char *const known[] = {"reads", "writes"};
  if (e->top < first || lua_type(L, e->top) != LUA_TTABLE) return;
  refuse_list(L, e, e->top);
  pl_arg_fields(L, e->top, known, 2);
  pl_access_again(L, e->h);
  pl_classes_take(L, e->h, e->op, e->top, &e->classes);
  e->top--;
}

bool pl_emission_isoperand(lua_State *L, int arg) {
  const pl_module *m = pl_userdata_module(L);
  return pl_userdata_kind(L, m, arg, PL_KIND_VALUE) != NULL ||
         pl_userdata_kind(L, m, arg, PL_KIND_VAR) != NULL;
}

/* }== Take: pointers ================================================= */

static lua_Integer size_at(lua_State *L, pl_funcobj *h, int arg) {
  if (lua_type(L, arg) == LUA_TSTRING) {
    ph_type type = pl_arg_type(L, h, arg);
    if (!ph_type_isstored(type))
      pl_error_arg(L, h, arg,
                   "an integer type, a float type or ptr expected, got %t",
                   type);
    return (ph_type_width(type) + 7) / 8;
  }
  if (!lua_isinteger(L, arg))
    pl_error_arg(L, h, arg,
                 "name of a type or constant number of bytes expected, got %g",
                 arg);
  return lua_tointeger(L, arg);
}

void pl_emission_takealloca(lua_State *L, pl_emission *e, int first, int last) {
  lua_Integer size, align = 8;
  if (first > last)
    pl_error(L, e->h, "'alloca' needs the name of a type or a size");
  if (last > first + 1)
    pl_error(L, e->h,
             "'alloca' takes a size and an alignment, got %d arguments",
             last - first + 1);
  ph_block b = ph_some(e->before) ? ph_value_block(e->h->f, e->before) : e->b;
  if (!ph_same(b, ph_block_entry(e->h->f)))
    pl_error(L, e->h, "an alloca belongs into the entry, not into block '%b'",
             b);
  size = size_at(L, e->h, first);
  if (lua_type(L, first) == LUA_TSTRING) align = size;
  if (last > first) {
    if (!lua_isinteger(L, last))
      pl_error_arg(L, e->h, last, "constant power of two expected, got %g",
                   last);
    align = lua_tointeger(L, last);
  }
  switch (ph_opcheck_alloca(size, align)) {
    case PH_ALLOCA_SIZE:
      pl_error_plainarg(L, first, "%I is not in 1 .. %I", (LUAI_UACINT)size,
                        (LUAI_UACINT)PH_ALLOCA_MOST);
      break;
    case PH_ALLOCA_ALIGN:
      pl_error_plainarg(L, last, "%I is not a power of two in 1 .. %d",
                        (LUAI_UACINT)align, PH_ALIGN_MOST);
      break;
    default:
      break;
  }
  lua_pushinteger(L, size);
  lua_pushinteger(L, align);
  e->op = PH_ALLOCA;
  pl_operand_room(L, &e->operands, lua_gettop(L) - 1, 2, 1);
}

void pl_emission_takeaddress(lua_State *L, pl_emission *e, int first,
                             int last) {
  if (first != last)
    pl_error(L, e->h, "'address' takes a global, a function or a name");
  pl_symbol_checkaddress(L, e->h, first);
  e->op = PH_ADDRESS;
  e->data = pl_symbol_resolve(L, pl_emission_owner(L, e), first);
  pl_operand_room(L, &e->operands, first, 0, 1);
}

/* }== Check ========================================================== */

/* Counts the results of a call, and checks them by its callee. */
static int count_returned(lua_State *L, const pl_emission *e) {
  int n = e->type == PH_NOTYPE ? 0 : e->results;
  bool is_named = e->data != 0 && lua_type(L, e->data) == LUA_TSTRING;
  if (n > 1 && e->op == PH_CALL_INDIRECT && !is_named)
    pl_error(L, e->h,
             "a call at an address has several results if the option 'as' of "
             "'call' names a function that has them");
  if (e->callee != NULL && pl_userdata_isusable(e->callee))
    pl_operand_checkreturned(L, e->h, e->callee,
                             e->said != NULL ? e->said : &e->type, n);
  return n;
}

/* The number of results. */
static int count_results(lua_State *L, const pl_emission *e) {
  if (e->op == PH_CALL || e->op == PH_CALL_INDIRECT)
    return count_returned(L, e);
  if (e->op < PH_OPS) return ph_op_row(e->op)->signature[0] != '-';
  if (e->spec != NULL && e->spec->nresults < 2)
    return e->spec->result != PH_NOTYPE;
  pl_access_again(L, e->h);
  return says_results(e) ? e->results : ph_op_nresults(e->h->f, e->op);
}

static ph_var var_at(lua_State *L, const pl_emission *e, int i) {
  return pl_handle_argvar(L, e->h, 2 + i);
}

/* The type of result i, from 0.  Where nothing else says it, variables do. */
static ph_type result_type(lua_State *L, const pl_emission *e, int i) {
  ph_type type;
  if (i == 0) return e->type;
  if (e->said != NULL) return e->said[i];
  if (e->op < PH_OPS) return e->type;
  type = ph_op_resulttype(e->h->f, e->op, e->type, i);
  if (type != PH_NOTYPE) return type;
  return e->vars > 0 ? ph_var_type(e->h->f, var_at(L, e, i)) : e->type;
}

/* Checks that n results fit the variables. */
static void check_vars(lua_State *L, pl_emission *e, int n) {
  if (n != e->vars)
    pl_error(L, e->h, "'%o' has %d result%s: got %d variable%s", e->op, n,
             n == 1 ? "" : "s", e->vars, e->vars == 1 ? "" : "s");
  for (int i = 0; i < n; i++) {
    ph_var var = var_at(L, e, i);
    ph_type type = ph_var_type(e->h->f, var);
    ph_type got = result_type(L, e, i);
    if (type != got)
      pl_error_arg(L, e->h, 2 + i,
                   "%t expected by variable '%x', but "
                   "'%o' gives %t",
                   type, var, e->op, got);
  }
}

/* An alloca may come after the terminator of the entry, unless its result is
** written. */
static void check_all(lua_State *L, pl_emission *e, int n) {
  pl_emission_open(L, e);
  if (!ph_some(e->before) && (e->op != PH_ALLOCA || e->vars > 0))
    pl_cursor_checkend(L, e->h, e->b);
  pl_emission_check(L, e);
  if (e->op == PH_VA_START && !ph_func_options(e->h->f).variadic)
    pl_error(L, e->h,
             "function '%f' is not variadic: 'va_start' has nothing to give");
  if (e->vars > 0) check_vars(L, e, n);
  if (e->data != 0 && (e->op == PH_COPY || ph_op_namesvar(e->op)))
    pl_error(L, e->h, "op '%o' cannot be given data", e->op);
  pl_classes_checkroom(L, e->h, &e->classes);
}

/* }== Begin and make ================================================= */

void pl_emission_keepdatum(lua_State *L, pl_emission *e) {
  int fn;
  if (e->data == 0) return;
  fn = pl_emission_owner(L, e);
  if (e->op < PH_OPS && (ph_op_flags(e->h->f, e->op) & PH_SYMBOLIC))
    e->symbol = pl_payload_keepsymbol(L, e->h, fn, e->data);
  else
    pl_payload_keep(L, e->h, fn, e->data);
}

ph_data pl_emission_datum(lua_State *L, const pl_emission *e) {
  if (e->symbol.at != 0) return pl_payload_ofsymbol(L, e->h, &e->symbol);
  if (e->data != 0) return pl_payload_of(L, e->h, e->data);
  return (ph_data){0, PH_DATA_NONE};
}

/* Puts an instruction at the end of the block, or at the cursor. */
static ph_value put_instruction(const pl_emission *e, ph_op op, ph_type type,
                                const ph_value *args, uint32_t n,
                                ph_data data) {
  ph_func *f = e->h->f;
  ph_value v;
  if (!ph_some(e->before))
    return ph_build_emitdata(f, e->b, op, type, args, n, data);
  v = ph_edit_insert(f, e->before, op, type, args, n);
  if (data.tag != PH_DATA_NONE) ph_value_setdata(f, v, data);
  return v;
}

/* The same of the op, with effects that are not the usual ones. */
static ph_value put_saying(const pl_emission *e, ph_data data,
                           ph_effects said) {
  const pl_operands *o = &e->operands;
  ph_func *f = e->h->f;
  ph_value v;
  if (!ph_some(e->before))
    return ph_build_emiteffects(f, e->b, e->op, e->type, o->args,
                                (uint32_t)o->n, data, said);
  v = put_instruction(e, e->op, e->type, o->args, (uint32_t)o->n, data);
  ph_effects_set(f, v, said);
  return v;
}

/* Returns none if a function of a rule fails. */
static ph_value make_instruction(lua_State *L, pl_emission *e) {
  ph_data data;
  ph_effects said;
  pl_operand_make(L, e->h->f, &e->operands);
  data = pl_emission_datum(L, e);
  if (e->operands.callee == NULL && !pl_classes_any(&e->classes))
    return put_instruction(e, e->op, e->type, e->operands.args,
                           (uint32_t)e->operands.n, data);
  /* What is said of the instruction, or of the declaration that it calls, which
  ** finalizers may have closed. */
  ph_func *f = e->h->f;
  ph_effects usual = ph_effects_usual(f, e->op);
  if (e->operands.callee != NULL && pl_userdata_isusable(e->operands.callee))
    usual = ph_effects_translate(f, e->operands.callee->f,
                                 ph_effects_declared(e->operands.callee->f));
  said = pl_classes_make(L, f, &e->classes, usual);
  if (said.reads == PH_EFFECTS_ALL && said.writes == PH_EFFECTS_ALL &&
      !pl_classes_any(&e->classes))
    return put_instruction(e, e->op, e->type, e->operands.args,
                           (uint32_t)e->operands.n, data);
  return put_saying(e, data, said);
}

/* Makes the k-th result of v, k > 1. */
static ph_value make_proj(lua_State *L, const pl_emission *e, ph_value v,
                          int k) {
  const ph_data which = {(uint64_t)k, PH_DATA_INT};
  ph_type type = result_type(L, e, k - 1);
  return put_instruction(e, PH_PROJ, type, &v, 1, which);
}

/* }== Give =========================================================== */

/* Where the results go. */
typedef struct {
  int n;             /* of results */
  int at;            /* stack index of the first handle */
  pl_handle *handle; /* there; NULL: none */
  uint32_t last;     /* values after this one have no handle yet */
  ph_value *values;  /* what is written to the variables */
  ph_value few[PL_OPERANDS_FEW];
} outcome;

/* Allocates all that is needed to make and give the results. */
static void prepare_outcome(lua_State *L, pl_emission *e, outcome *r) {
  const pl_funcobj *h = e->h;
  int n = count_results(L, e);
  r->n = n;
  if (e->data != 0 || h->rules != NULL || h->undef_policy == PL_UNDEF_CALL)
    pl_emission_owner(L, e);
  pl_emission_keepdatum(L, e);
  r->at = lua_gettop(L) + 1;
  r->handle = NULL;
  r->values = r->few;
  if (e->vars > 0) {
    if (n > PL_OPERANDS_FEW)
      r->values = lua_newuserdatauv(L, (size_t)n * sizeof *r->values, 0);
    return;
  }
  if (n > 1) luaL_checkstack(L, n + 16, NULL);
  if (n > 0) r->handle = pl_handle_prepare(L, e->h, e->fn, PL_KIND_VALUE);
  for (int i = 1; i < n; i++) pl_handle_prepare(L, e->h, e->fn, PL_KIND_VALUE);
}

/* Gives handles to v and its further results. */
static void give_handles(lua_State *L, pl_emission *e, const outcome *r,
                         ph_value v) {
  pl_handle *it = r->handle;
  for (int i = 0; i < r->n; i++) {
    ph_value result = i == 0 ? v : make_proj(L, e, v, i + 1);
    if (i > 0) it = lua_touserdata(L, r->at + i);
    if (result.id > r->last)
      pl_handle_settle(L, it, PL_KIND_VALUE, r->at + i, result.id);
    else
      pl_handle_found(L, it, PL_KIND_VALUE, r->at + i, result.id);
  }
}

int pl_emission_run(lua_State *L, pl_emission *e) {
  pl_funcobj *h = e->h;
  outcome r;
  uint32_t handles;
  ph_value v;
  prepare_outcome(L, e, &r);
  check_all(L, e, r.n);
  pl_emission_begin(L, e, "emitting into", PL_WHERE_ALL);
  r.last = ph_value_count(h->f);
  handles = h->handles.n;
  v = make_instruction(L, e);
  if (!ph_some(v)) return pl_callback_fail(L, h);
  if (h->handles.n != handles) r.last = UINT32_MAX; /* by an action */
  if (e->vars > 0) {
    ph_func *f = e->h->f;
    r.values[0] = v;
    for (int i = 1; i < r.n; i++) r.values[i] = make_proj(L, e, v, i + 1);
    for (int i = 0; i < r.n; i++)
      ph_build_write(f, var_at(L, e, i), e->b,
                     ph_value_resolve(f, r.values[i]));
  } else {
    give_handles(L, e, &r, v);
  }
  return pl_access_done(L, h, e->vars > 0 ? 0 : r.n);
}

/* }=================================================================== */
