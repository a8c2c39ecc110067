/* let.c: block:let, which emits an instruction and writes its results to
** variables.
**
** It means what block:emit (or block:call) and block:write mean one after the
** other, but makes no handle.
*/
#include <string.h>

#include "binding/args/payload.h"
#include "binding/emit/emission.h"
#include "binding/emit/pointer.h"
#include "binding/emit/position.h"
#include "binding/rules/callback.h"
#include "binding/rules/ruleset.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

enum { FIRST = 2 }; /* stack index of the first variable */

/*
** {== Reading the arguments ==========================================
*/

static ph_var var_at(lua_State *L, const pl_emission *e, int i) {
  return pl_handle_argvar(L, e->h, FIRST + i);
}

/* Counts the variables that precede the op. */
static int count_vars(lua_State *L, const pl_emission *e) {
  int n = 0;
  while (FIRST + n <= e->top &&
         pl_userdata_ownkind(L, e->h, FIRST + n, PL_UP_VAR) != NULL)
    n++;
  if (n == 0) var_at(L, e, 0); /* tells what is wrong */
  if (FIRST + n > e->top)
    pl_error(L, e->h, "'let' needs an op after the variable%s",
             n > 1 ? "s" : "");
  return n;
}

/* The type of the first variable, which is that of the result unless the op
** tells its own. */
static ph_type wanted(lua_State *L, const pl_emission *e) {
  return ph_var_type(e->h->f, var_at(L, e, 0));
}

/* Takes an address at `at` and the arguments up to `last`. */
static void take_indirect(lua_State *L, pl_emission *e, int at, int last) {
  if (at > last) pl_error(L, e->h, "'call_indirect' needs an address");
  e->data = 0;
  e->type = wanted(L, e);
  pl_operand_room(L, &e->operands, at, last - at + 1, 1);
}

/* Takes a callee at `at` and the arguments up to `last`. */
static void take_call(lua_State *L, pl_emission *e, int at, int last) {
  if (at > last) pl_error(L, e->h, "'call' needs a callee");
  if (pl_pointer_isindirect(L, e, at)) {
    e->op = PH_CALL_INDIRECT;
    take_indirect(L, e, at, last);
    return;
  }
  e->type = wanted(L, e);
  pl_emission_takecallee(L, e, at, 0);
  pl_operand_room(L, &e->operands, at + 1, last - at, 2);
  e->operands.callee = e->callee;
}

/* Takes operands from `first` to `last`; a type may follow where the op needs
** one. */
static void take_operands(lua_State *L, pl_emission *e, int first, int last) {
  int n = last - first + 1;
  e->type = PH_NOTYPE;
  if (ph_op_needstype(e->h->f, e->op)) {
    int nargs = ph_op_nargs(e->h->f, e->op);
    bool more = nargs != PH_VARIADIC && n > nargs;
    bool says = more && !lua_isnil(L, last);
    e->type = says ? pl_arg_type(L, e->h, last) : wanted(L, e);
    n -= more;
  }
  pl_operand_room(L, &e->operands, first, n, 1);
  e->operands.spec = e->spec;
}

/* The ops whose arguments are not their operands. */
static const struct {
  const char *name;
  ph_op op;
  void (*take)(lua_State *L, pl_emission *e, int first, int last);
} special[] = {
    {"call", PH_CALL, take_call},
    {"call_indirect", PH_CALL_INDIRECT, take_indirect},
    {"alloca", PH_ALLOCA, pl_pointer_takealloca},
    {"address", PH_ADDRESS, pl_pointer_takeaddress},
};

/* Takes the op at `at`, and what follows it, if it is one of these. */
static bool take_special(lua_State *L, pl_emission *e, int at) {
  ph_str name;
  if (lua_type(L, at) != LUA_TSTRING) return false;
  name = pl_arg_str(L, at);
  for (size_t i = 0; i < sizeof special / sizeof *special; i++)
    if (name.n == strlen(special[i].name) &&
        memcmp(name.at, special[i].name, name.n) == 0) {
      e->op = special[i].op;
      e->type = PH_NOTYPE;
      special[i].take(L, e, at + 1, e->top);
      return true;
    }
  return false;
}

/* Takes the op at `at` and what follows it. */
static void take_rest(lua_State *L, pl_emission *e, int at) {
  if (take_special(L, e, at)) return;
  pl_emission_takeop(L, e, at);
  if (pl_emission_endsblock(e))
    pl_error_arg(L, e->h, at, "'%o' ends a block: it has no result", e->op);
  take_operands(L, e, at + 1, pl_emission_takedata(L, e, at + 1));
}

/* }== Checking and making ============================================ */

/* The variables, and what is written to them. */
typedef struct {
  int n;
  ph_value *results;
  ph_value few[PL_OPERANDS_FEW];
} destinations;

static void make_room(lua_State *L, destinations *d, int n) {
  d->n = n;
  d->results = d->few;
  if (n > PL_OPERANDS_FEW)
    d->results = lua_newuserdatauv(L, (size_t)n * sizeof *d->results, 0);
}

/* As many results are said as there are variables. */
static void check_vars(lua_State *L, pl_emission *e, int n) {
  int results;
  e->results = n;
  results = pl_emission_countresults(L, e);
  if (results != n)
    pl_error(L, e->h, "'%o' has %d result%s: got %d variable%s", e->op, results,
             results == 1 ? "" : "s", n, n == 1 ? "" : "s");
  for (int i = 0; i < n; i++) {
    ph_var var = var_at(L, e, i);
    ph_type type = ph_var_type(e->h->f, var);
    if (type != e->type)
      pl_error_arg(L, e->h, FIRST + i,
                   "%t expected by variable '%x', but "
                   "'%o' gives %t",
                   type, var, e->op, e->type);
  }
}

static void check(lua_State *L, pl_emission *e, int n) {
  pl_access_open(L, e->h);
  pl_position_checkopen(L, e->h, e->b);
  pl_emission_check(L, e);
  check_vars(L, e, n);
  if (e->data != 0 && e->op == PH_COPY)
    pl_error(L, e->h, "a copy cannot be given data");
  if (e->data != 0 && ph_op_namesvar(e->op))
    pl_error(L, e->h, "op '%o' cannot be given data", e->op);
}

/* Writes the results, the first of which is v. */
static void write_results(lua_State *L, const pl_emission *e, destinations *d,
                          ph_value v) {
  ph_func *f = e->h->f;
  d->results[0] = v;
  for (int i = 1; i < d->n; i++)
    d->results[i] = pl_emission_makeproj(e, v, i + 1);
  for (int i = 0; i < d->n; i++) {
    ph_build_write(f, var_at(L, e, i), e->b,
                   ph_value_resolve(f, d->results[i]));
  }
}

static int run(lua_State *L, pl_emission *e, int n) {
  pl_funcobj *h = e->h;
  destinations d;
  ph_value v;
  if (e->data != 0 || h->rules != NULL || h->undef_policy == PL_UNDEF_CALL)
    pl_emission_owner(L, e);
  make_room(L, &d, n);
  pl_emission_keep(L, e);
  check(L, e, n);
  pl_operand_read(L, h, &e->operands, e->fn);
  pl_ruleset_begin(L, h, e->fn);
  pl_access_begin(h, "emitting into", e->b);
  pl_emission_place(L, e);
  v = pl_emission_make(L, e);
  if (!ph_some(v)) return pl_callback_fail(L, h);
  write_results(L, e, &d, v);
  pl_access_end(h);
  return pl_access_return(L, h, 0);
}

/* block:let(var, ..., op, ...) */
static int l_let(lua_State *L) {
  pl_emission e;
  int n;
  const pl_handle *me = pl_userdata_test(L, 1, PL_UP_BLOCK);
  if (me == NULL || lua_gettop(L) < 3)
    pl_arg_refuse(L, PL_UP_BLOCK, lua_gettop(L), 2, -1);
  pl_emission_start(L, &e);
  e.h = me->owner;
  e.b.id = me->id;
  pl_access_open(L, e.h);
  n = count_vars(L, &e);
  take_rest(L, &e, FIRST + n);
  return run(L, &e, n);
}

/* }=================================================================== */

const pl_method pl_let_methods[] = {
    {PL_OF_BLOCK, "let", l_let},
    {0},
};
