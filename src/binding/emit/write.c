/* write.c: block:write, which writes one variable or several; block:let, which
** emits an instruction and writes its results; block:kill.
*/
#include <string.h>

#include "binding/args/operand.h"
#include "binding/args/payload.h"
#include "binding/args/read.h"
#include "binding/emit/cursor.h"
#include "binding/emit/emission.h"
#include "binding/state/access.h"
#include "binding/state/arg.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/method.h"

/*
** {== Write ==========================================================
*/

/* Writes to be made: a list of variables, whose sources are the operands. */
typedef struct {
  pl_emission e;
  int copies; /* stack index of the first handle for a copy; 0: no copies */
  ph_var *vars;
  ph_var few[PL_OPERANDS_FEW];
} writes;

/* Stack index of the i-th variable; its source follows it. */
static int index_of(int i) { return 2 + 2 * i; }

/* Allocates all that n writes need. */
static void prepare_writes(lua_State *L, writes *w, int n) {
  pl_operand_room(L, &w->e.operands, index_of(0) + 1, n, 2);
  w->vars = w->few;
  if (n > PL_OPERANDS_FEW)
    w->vars = lua_newuserdatauv(L, (size_t)n * sizeof *w->vars, 0);
  w->copies = 0;
  if (!ph_func_options(pl_access_open(L, w->e.h)).copies) return;
  luaL_checkstack(L, n + 16, NULL);
  w->copies = lua_gettop(L) + 1;
  for (int i = 0; i < n; i++) pl_handle_prepare(L, w->e.h, 0, PL_KIND_VALUE);
}

static void check_writes(lua_State *L, writes *w) {
  pl_funcobj *h = w->e.h;
  pl_operands *o = &w->e.operands;
  pl_emission_open(L, &w->e);
  pl_cursor_checkend(L, h, w->e.b);
  o->reads = w->e.b;
  for (int i = 0; i < o->n; i++) {
    ph_var var = pl_handle_argvar(L, h, index_of(i));
    w->vars[i] = var;
    o->types[i] = pl_operand_take(L, h, index_of(i) + 1, ph_var_type(h->f, var),
                                  var, &o->args[i]);
    o->nvars += pl_operand_isvar(o->args[i]);
  }
}

static void make_writes(lua_State *L, writes *w) {
  pl_funcobj *h = w->e.h;
  pl_operands *o = &w->e.operands;
  pl_access_beginhere(L, h, "writing in", w->e.b, PL_WHERE_ALL);
  for (int i = 0; i < o->n; i++) {
    ph_value v = o->args[i];
    if (!ph_some(v))
      v = pl_literal_value(L, h->f, index_of(i) + 1, o->types[i]);
    v = ph_build_write(h->f, w->vars[i], w->e.b, v);
    if (w->copies == 0) continue;
    pl_handle_settle(L, lua_touserdata(L, w->copies + i), PL_KIND_VALUE,
                     w->copies + i, v.id);
  }
  pl_access_end(h);
}

/* Makes n writes; pushes the copies, if the function makes copies.  All sources
** are read before the first write. */
static int run_writes(lua_State *L, writes *w, int n) {
  prepare_writes(L, w, n);
  check_writes(L, w);
  pl_operand_read(L, w->e.h, &w->e.operands, 0);
  make_writes(L, w);
  if (w->copies == 0) return pl_access_return(L, w->e.h, 0);
  lua_settop(L, w->copies + n - 1);
  return pl_access_return(L, w->e.h, n);
}

/* Writes a value or literal to one variable, the usual case, in which nothing
** is read and no copy is made; false if the source is a variable. */
static bool write_one(lua_State *L, pl_funcobj *h, ph_block b) {
  ph_var var;
  ph_type type;
  ph_value v;
  pl_cursor_checkend(L, h, b);
  var = pl_handle_argvar(L, h, 2);
  type = pl_operand_take(L, h, 3, ph_var_type(h->f, var), var, &v);
  if (pl_operand_isvar(v)) return false;
  pl_access_beginhere(L, h, "writing in", b, PL_WHERE_ALL);
  if (!ph_some(v)) v = pl_literal_value(L, h->f, 3, type);
  ph_build_write(h->f, var, b, v);
  pl_access_end(h);
  return true;
}

/* Returns the number of n arguments that are not further pairs of nil. */
static int without_nils(lua_State *L, int n) {
  while (n > 2 && lua_isnil(L, n + 1) && (n % 2 != 0 || lua_isnil(L, n))) n--;
  return n;
}

/* block:write(var, source, ...): returns the copies, if the function makes
** copies. */
static int l_write(lua_State *L) {
  writes w;
  pl_funcobj *h;
  int n;
  pl_emission_startblock(L, &w.e, 2, -1);
  h = w.e.h;
  n = without_nils(L, w.e.top - 1);
  if (n % 2 != 0)
    pl_error_plain(L,
                   "wrong number of arguments to 'write' (a source for each "
                   "variable expected, got %d arguments)",
                   n);
  if (n == 2 && !ph_func_options(h->f).copies && write_one(L, h, w.e.b))
    return pl_access_return(L, h, 0);
  return run_writes(L, &w, n / 2);
}

/* block:kill(var) */
static int l_kill(lua_State *L) {
  pl_emission e;
  ph_var var;
  pl_emission_startblock(L, &e, 1, 1);
  pl_cursor_checkend(L, e.h, e.b);
  var = pl_handle_argvar(L, e.h, 2);
  pl_access_begin(e.h, "ending a variable in", e.b);
  ph_build_kill(e.h->f, var, e.b);
  return pl_access_done(L, e.h, 0);
}

/* True if the source at index 3 is a value or literal of that type. */
static bool has_type(lua_State *L, pl_funcobj *h, ph_type type) {
  const pl_handle *v = pl_userdata_ownkind(L, h, 3, PL_KIND_VALUE);
  if (v == NULL) return pl_literal_is(L, 3) && pl_literal_fits(L, 3, type);
  return ph_value_type(h->f, pl_handle_value(L, v)) == type;
}

/* phial.core.assign(fn, var, source): true if fn:write(var, source) has
** been done; false if it needs more than one write of a value or literal, or is
** wrong. */
static int l_assign(lua_State *L) {
  pl_funcobj *h = pl_arg_self(L, PL_KIND_FUNC);
  const pl_handle *var;
  bool good;
  pl_access_open(L, h);
  var = pl_userdata_ownkind(L, h, 2, PL_KIND_VAR);
  good = var != NULL && !ph_func_options(h->f).copies &&
         has_type(L, h, ph_var_type(h->f, (ph_var){var->id})) &&
         write_one(L, h, pl_cursor_current(L, h));
  lua_pushboolean(L, good);
  return pl_access_return(L, h, 1);
}

/* }== Let ============================================================
**
** It means what block:emit (or block:call) and block:write mean one after the
** other, but makes no handle.
*/

/* Counts the variables that precede the op. */
static int count_vars(lua_State *L, const pl_emission *e) {
  int n = 0;
  while (2 + n <= e->top &&
         pl_userdata_ownkind(L, e->h, 2 + n, PL_KIND_VAR) != NULL)
    n++;
  if (n == 0) pl_handle_argvar(L, e->h, 2); /* tells what is wrong */
  if (2 + n > e->top)
    pl_error(L, e->h, "'let' needs an op after the variable%s",
             n > 1 ? "s" : "");
  return n;
}

/* The type of the first variable, which is that of the result unless the op
** tells its own. */
static ph_type type_of_first_var(lua_State *L, const pl_emission *e) {
  return ph_var_type(e->h->f, pl_handle_argvar(L, e->h, 2));
}

/* Takes a callee at `at` and the arguments up to `last`. */
static void take_call(lua_State *L, pl_emission *e, int at, int last) {
  bool is_indirect = at <= last && pl_emission_isoperand(L, at);
  if (at > last) pl_error(L, e->h, "'call' needs a callee");
  if (e->vars > 1) {
    ph_type *types = pl_emission_sayresults(L, e, e->vars);
    for (int i = 0; i < e->vars; i++)
      types[i] = ph_var_type(e->h->f, pl_handle_argvar(L, e->h, 2 + i));
  }
  e->type = type_of_first_var(L, e);
  if (is_indirect)
    e->op = PH_CALL_INDIRECT;
  else
    pl_emission_takecallee(L, e, at, 0);
  pl_emission_takeclasses(L, e, at + 1);
  if (is_indirect)
    pl_operand_room(L, &e->operands, at, e->top - at + 1, 1);
  else
    pl_operand_room(L, &e->operands, at + 1, e->top - at, 2);
}

/* Takes operands from `first` to `last`; a type may follow where the op needs
** one. */
static void take_operands(lua_State *L, pl_emission *e, int first, int last) {
  int n = last - first + 1;
  if (ph_op_needstype(e->h->f, e->op)) {
    int nargs = ph_op_nargs(e->h->f, e->op);
    bool more = nargs != PH_VARIADIC && n > nargs;
    bool says = more && !lua_isnil(L, last);
    e->type = says ? pl_arg_type(L, e->h, last) : type_of_first_var(L, e);
    n -= more;
  }
  pl_operand_room(L, &e->operands, first, n, 1);
}

/* The ops whose arguments are not their operands. */
static const struct {
  const char *name;
  ph_op op;
  void (*take)(lua_State *L, pl_emission *e, int first, int last);
} special[] = {
    {"call", PH_CALL, take_call},
    {"alloca", PH_ALLOCA, pl_emission_takealloca},
    {"address", PH_ADDRESS, pl_emission_takeaddress},
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

/* block:let(var, ..., op, ...) */
static int l_let(lua_State *L) {
  pl_emission e;
  pl_emission_startblock(L, &e, 2, -1);
  e.vars = e.results = count_vars(L, &e);
  take_rest(L, &e, 2 + e.vars);
  return pl_emission_run(L, &e);
}

/* }=================================================================== */

const pl_method pl_write_methods[] = {
    {PL_OF_END, "let", l_let},
    {PL_OF_END, "write", l_write},
    {PL_OF_END, "kill", l_kill},
    {PL_OF_MODULE, "assign", l_assign},
    {0},
};
