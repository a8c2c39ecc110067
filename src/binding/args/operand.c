/* operand.c: operands of a call: values, literals and variables to be read.
**
** First the types of all operands are determined (a literal has the type that
** is expected in its place), then they are checked against the op; only then
** are variables read, and do literals become constants of the function.
*/
#include "binding/args/operand.h"

#include "binding/args/payload.h"
#include "binding/args/read.h"
#include "binding/state/error.h"
#include "binding/state/handle.h"
#include "binding/state/message.h"

void pl_operand_room(lua_State *L, pl_operands *o, int first, int n,
                     int number) {
  o->spec = NULL;
  o->callee = NULL;
  o->reads.id = 0;
  o->n = n;
  o->nvars = 0;
  o->first = first;
  o->number = number;
  o->args = o->few;
  o->types = o->few_types;
  if (n <= PL_OPERANDS_FEW) return;
  o->args = lua_newuserdatauv(L, (size_t)n * sizeof *o->args, 0);
  o->types = lua_newuserdatauv(L, (size_t)n * sizeof *o->types, 0);
}

static ph_value from_var(ph_var var) {
  return (ph_value){var.id | PL_OPERAND_VAR};
}

/*
** {== What does not fit ==============================================
*/

ph_op pl_operand_direct(ph_op op) {
  switch (op) {
    case PH_CALL_INDIRECT:
      return PH_CALL;
    case PH_TAIL_CALL_INDIRECT:
      return PH_TAIL_CALL;
    case PH_LOAD_UNALIGNED:
      return PH_LOAD;
    case PH_STORE_UNALIGNED:
      return PH_STORE;
    default:
      return op;
  }
}

/* About operand i, or self. */
static void start_bad_operand(lua_State *L, pl_funcobj *h, const pl_operands *o,
                              ph_op op, int i) {
  op = pl_operand_direct(op);
  pl_error_start(L, h);
  if (o->number + i > 0)
    pl_message_add(L, h, "bad argument #%d to '%o' (", o->number + i, op);
  else
    pl_message_add(L, h, "calling '%o' on bad self (", op);
}

/* "i64 expected like argument #1" */
static void say_like(lua_State *L, pl_funcobj *h, const pl_operands *o,
                     ph_type type, int like) {
  pl_message_add(L, h, "%t expected like ", type);
  if (o->number + like > 0)
    pl_message_add(L, h, "argument #%d", o->number + like);
  else if (pl_operand_isvar(o->args[like]))
    pl_message_add(L, h, "'%x'", pl_operand_var(o->args[like]));
  else
    pl_message_add(L, h, "'%v'", o->args[like]);
}

/* A type of another function, with its dialect. */
static void say_type(lua_State *L, pl_funcobj *h, const ph_func *c,
                     ph_type type) {
  ph_str dialect = ph_type_dialect(c, type);
  if (dialect.n > 0) pl_message_add(L, h, "%S.", dialect);
  pl_message_add(L, h, "%S", ph_type_name(c, type));
}

/* "i64, i32": the results of a function, which has some. */
static void say_results(lua_State *L, pl_funcobj *h, const ph_func *c) {
  for (uint32_t i = 0; i < ph_func_nresults(c); i++) {
    if (i > 0) pl_message_add(L, h, ", ");
    say_type(L, h, c, ph_func_resulttype(c, i));
  }
}

/* "i32 expected by parameter 'x' of 'Square'" */
static void say_param(lua_State *L, pl_funcobj *h, ph_func *c, int i) {
  ph_value param = ph_value_param(c, (uint32_t)i);
  say_type(L, h, c, ph_value_type(c, param));
  pl_message_add(L, h, " expected by parameter '%S' of '%S'",
                 ph_value_name(c, param), ph_func_name(c));
}

static int raise_got(lua_State *L, pl_funcobj *h, const pl_operands *o, int i) {
  pl_message_add(L, h, ", got %g)", o->first + i);
  return pl_error_raise(L, h);
}

static int wrong_count(lua_State *L, pl_funcobj *h, const pl_operands *o,
                       ph_op op, int want) {
  int shift = o->number - 1;
  return pl_error(L, h,
                  "wrong number of arguments to '%o' (%s%d expected, got %d)",
                  op, ph_op_nargs(h->f, op) == PH_VARIADIC ? "at least " : "",
                  want + shift, o->n + shift);
}

bool pl_operand_lackstype(lua_State *L, ph_op op, int last) {
  if (op == PH_CALL) return false;
  return op < PH_OPS || lua_type(L, last) != LUA_TSTRING;
}

void pl_operand_refuseuntyped(lua_State *L, pl_funcobj *h, ph_op op) {
  pl_error(L, h,
           "'%o' needs the type of its result: a type's name as last argument",
           op);
}

static const char *kind_name(ph_mismatch_kind kind) {
  switch (kind) {
    case PH_WANTS_INT:
      return "integer";
    case PH_WANTS_FLOAT:
      return "float";
    case PH_WANTS_INTPTR:
      return "integer or ptr";
    case PH_WANTS_WIDE:
      return "integer of 16 bits or more";
    case PH_WANTS_STORED:
      return "integer, float or ptr";
    default:
      return "value";
  }
}

/* An error about the type given for the result of a conversion or the like. */
static int wrong_result(lua_State *L, pl_funcobj *h, const pl_operands *o,
                        ph_op op, ph_type type) {
  static const char *const wanted[PH_CLASSES] = {
      [PH_CLASS_NARROW] = "an integer type narrower than %t",
      [PH_CLASS_WIDEN] = "an integer type wider than %t",
      [PH_CLASS_TOFLOAT] = "a float type",
      [PH_CLASS_TOINT] = "an integer type",
      [PH_CLASS_FWIDEN] = "a float type wider than %t",
      [PH_CLASS_FNARROW] = "a float type narrower than %t",
      [PH_CLASS_BITCAST] = "a type as wide as %t"};
  const char *wants = wanted[ph_op_class(op)];
  if (op < PH_OPS && ph_op_row(op)->signature[0] == 'M')
    wants = "an integer type, a float type or ptr";
  start_bad_operand(L, h, o, op, o->n);
  pl_message_add(L, h, wants != NULL ? wants : "a type",
                 o->n > 0 ? o->types[0] : PH_NOTYPE);
  pl_message_add(L, h, " expected, got %t)", type);
  return pl_error_raise(L, h);
}

static int refuse_mismatch(lua_State *L, pl_funcobj *h, const pl_operands *o,
                           ph_op op, ph_mismatch m, ph_type type) {
  switch (m.kind) {
    case PH_WRONG_COUNT:
      return wrong_count(L, h, o, op, m.want);
    case PH_WRONG_RESULT:
      return wrong_result(L, h, o, op, type);
    case PH_WRONG_LIKE:
      start_bad_operand(L, h, o, op, m.arg);
      say_like(L, h, o, m.type, m.like);
      return raise_got(L, h, o, m.arg);
    case PH_WRONG_TYPE:
      start_bad_operand(L, h, o, op, m.arg);
      pl_message_add(L, h, "%t expected", m.type);
      return raise_got(L, h, o, m.arg);
    default:
      start_bad_operand(L, h, o, op, m.arg);
      pl_message_add(L, h, "%s expected", kind_name(m.kind));
      return raise_got(L, h, o, m.arg);
  }
}

/* The number of operands before the arguments of a callee: the address. */
static int before_arguments(ph_op op) { return op == PH_CALL_INDIRECT; }

/* An error about literal i, which does not fit the type expected. */
static int refuse_literal(lua_State *L, pl_funcobj *h, const pl_operands *o,
                          ph_op op, int i, ph_type want) {
  int like = -1;
  bool range = lua_isinteger(L, o->first + i) && ph_type_isint(want);
  for (int j = o->n - 1; j >= 0; j--)
    if (j != i && o->types[j] == want) like = j;
  start_bad_operand(L, h, o, op, i);
  if (range) {
    pl_message_add(L, h, "%g does not fit %t)", o->first + i, want);
    return pl_error_raise(L, h);
  }
  if (like >= 0 && o->callee == NULL && ph_op_nargs(h->f, op) > 1 &&
      op < PH_OPS && want != PH_I1)
    say_like(L, h, o, want, like);
  else if (o->callee != NULL)
    say_param(L, h, o->callee->f, i - before_arguments(op));
  else
    pl_message_add(L, h, "%t expected", want);
  if (lua_type(L, o->first + i) != LUA_TSTRING) return raise_got(L, h, o, i);
  pl_message_add(L, h, ", got a string; strings are never numbers)");
  return pl_error_raise(L, h);
}

/* }== Checking ======================================================= */

/* What is said of nil where it may be meant. */
#define NIL ": nil as a value is fn:const(nil, \"any\")"

/* Raises an error if operand i, which is neither a value nor a variable of h,
** is not a literal. */
static void check_literal(lua_State *L, pl_funcobj *h, const pl_operands *o,
                          ph_op op, int i) {
  int arg = o->first + i;
  bool is_nil;
  if (pl_literal_is(L, arg)) return;
  is_nil = lua_isnil(L, arg) &&
           (op >= PH_OPS || (ph_op_flags(h->f, op) & PH_SYMBOLIC) != 0);
  if (pl_userdata_kind(L, h->module, arg, PL_KIND_VALUE) != NULL)
    pl_handle_argvalue(L, h, arg); /* tells whose it is */
  if (pl_userdata_kind(L, h->module, arg, PL_KIND_VAR) != NULL &&
      ph_some(o->reads))
    pl_handle_argvar(L, h, arg); /* tells whose it is */
  start_bad_operand(L, h, o, op, i);
  pl_message_add(L, h, "value expected, got %g%s)", arg,
                 is_nil ? NIL : pl_handle_hint(L, h, arg, PL_KIND_VALUE));
  pl_error_raise(L, h);
}

/* Takes values, variables and their types from handles, and leaves those of
** literals open; returns the number of literals. */
static int take_handles(lua_State *L, pl_funcobj *h, pl_operands *o, ph_op op) {
  int literals = 0;
  for (int i = 0; i < o->n; i++) {
    const pl_handle *it = pl_userdata_own(L, h, o->first + i);
    uint32_t tag = it != NULL ? it->tag : 0, id = it != NULL ? it->id : 0;
    if (tag == pl_userdata_tag(h, PL_KIND_VALUE)) {
      o->args[i].id = id;
      if (!ph_value_take(h->f, &o->args[i], &o->types[i]))
        pl_handle_argvalue(L, h, o->first + i);
    } else if (tag == pl_userdata_tag(h, PL_KIND_VAR) && ph_some(o->reads)) {
      o->args[i] = from_var((ph_var){id});
      o->types[i] = ph_var_type(h->f, (ph_var){id});
      o->nvars++;
    } else {
      check_literal(L, h, o, op, i);
      o->args[i].id = 0;
      o->types[i] = PH_NOTYPE;
      literals++;
    }
  }
  return literals;
}

static void type_literals(lua_State *L, pl_funcobj *h, pl_operands *o,
                          ph_op op) {
  for (int i = 0; i < o->n; i++) {
    ph_type want;
    if (ph_some(o->args[i])) continue;
    want = o->callee != NULL
               ? pl_callee_wants(h, o->callee, i - before_arguments(op))
               : ph_opcheck_wants(h->f, op, o->types, o->n, i);
    if (want == PH_NOTYPE) want = pl_literal_alone(L, o->first + i);
    if (!pl_literal_fits(L, o->first + i, want))
      refuse_literal(L, h, o, op, i, want);
    o->types[i] = want;
  }
}

/* Checks the number and the types of arguments; any and every other type are
** converted when the function runs. */
static void check_arguments(lua_State *L, pl_funcobj *h, const pl_operands *o,
                            ph_op op) {
  ph_func *c = o->callee->f;
  int n = (int)ph_value_nparams(c), skip = before_arguments(op);
  int given = o->n - skip;
  bool more = ph_func_options(c).variadic;
  if (more ? given < n : given != n)
    pl_error(L, h, "wrong number of arguments to '%S' (%s%d expected, got %d)",
             ph_func_name(c), more ? "at least " : "", n, given);
  for (int i = 0; i < n; i++) {
    ph_type want = ph_value_type(c, ph_value_param(c, (uint32_t)i));
    ph_type got = o->types[i + skip];
    if (want == PH_ANY || got == PH_ANY ||
        got == pl_callee_type(h, o->callee, want))
      continue;
    start_bad_operand(L, h, o, op, i + skip);
    say_param(L, h, o->callee->f, i);
    raise_got(L, h, o, i + skip);
  }
}

/* True if result i, from 0, of a callee is of a type that is wanted, or can be
** converted to it. */
static bool gives(const pl_funcobj *h, const pl_funcobj *callee, uint32_t i,
                  ph_type wanted) {
  ph_type result = ph_func_resulttype(callee->f, i);
  return pl_callee_type(h, callee, result) == wanted || result == PH_ANY ||
         wanted == PH_ANY;
}

/* True if a callee returns what h does.  After a tail call nothing can convert
** it. */
static bool returns_same(const pl_funcobj *h, const pl_funcobj *callee) {
  uint32_t n = ph_func_nresults(h->f);
  if (ph_func_nresults(callee->f) != n) return false;
  for (uint32_t i = 0; i < n; i++) {
    ph_type type = ph_func_resulttype(callee->f, i);
    if (pl_callee_type(h, callee, type) != ph_func_resulttype(h->f, i))
      return false;
  }
  return true;
}

/* Raises an error about what a callee returns: not these n types; or not what
** the function does, after a tail call. */
static void refuse_returned(lua_State *L, pl_funcobj *h, const ph_func *c,
                            const ph_type *types, int n, bool is_tail) {
  pl_error_start(L, h);
  pl_message_add(L, h, "function '%S' returns ", ph_func_name(c));
  if (ph_func_nresults(c) == 0) pl_message_add(L, h, "nothing");
  say_results(L, h, c);
  pl_message_add(L, h, n > 0 ? ", not " : ", not nothing");
  for (int i = 0; i < n; i++)
    pl_message_add(L, h, i > 0 ? ", %t" : "%t", types[i]);
  if (is_tail) pl_message_add(L, h, " as '%f' does");
  pl_error_raise(L, h);
}

void pl_operand_checkreturned(lua_State *L, pl_funcobj *h,
                              const pl_funcobj *callee, const ph_type *types,
                              int n) {
  bool fits = n == 0 || ph_func_nresults(callee->f) == (uint32_t)n;
  for (int i = 0; i < n && fits; i++)
    fits = gives(h, callee, (uint32_t)i, types[i]);
  if (!fits) refuse_returned(L, h, callee->f, types, n, false);
}

/* Checks that a callee in place of h returns what h does. */
static void check_tail(lua_State *L, pl_funcobj *h, const pl_funcobj *callee) {
  ph_type types[PH_RESULTS_MAX];
  uint32_t n = ph_func_nresults(h->f);
  if (returns_same(h, callee)) return;
  for (uint32_t i = 0; i < n; i++) types[i] = ph_func_resulttype(h->f, i);
  refuse_returned(L, h, callee->f, types, (int)n, true);
}

/* True if the types fit an op of a dialect with built-in types; a quick test of
** the usual case.  False: the core must decide. */
static bool fits_simple_op(const pl_operands *o) {
  const ph_opspec *s = o->spec;
  if (s == NULL || s->nargs != o->n || s->result >= PH_TYPES) return false;
  for (int i = 0; i < o->n; i++) {
    if (o->types[i] == PH_NOTYPE) return false;
    if (s->args != NULL && o->types[i] != s->args[i]) return false;
    if (s->args != NULL && s->args[i] >= PH_TYPES) return false;
  }
  return true;
}

void pl_operand_check(lua_State *L, pl_funcobj *h, pl_operands *o, ph_op op,
                      ph_type *type) {
  ph_mismatch m;
  ph_type said = *type;
  if (take_handles(L, h, o, op) > 0) type_literals(L, h, o, op);
  if (fits_simple_op(o)) {
    *type = o->spec->result;
    return;
  }
  m = ph_opcheck_types(h->f, op, o->types, o->n, type);
  if (m.kind != PH_FITS) refuse_mismatch(L, h, o, op, m, said);
  if (o->callee == NULL) return;
  check_arguments(L, h, o, op);
  if (op == PH_TAIL_CALL) check_tail(L, h, o->callee);
}

/* Raises an error about what is at `arg`, which is neither a value of h nor a
** variable of h nor a literal; type: what is expected. */
static void refuse_handle(lua_State *L, pl_funcobj *h, int arg, ph_type type) {
  if (type == PH_ANY && lua_isnil(L, arg))
    pl_error_arg(L, h, arg, "value expected, got nil" NIL);
  if (pl_userdata_kind(L, h->module, arg, PL_KIND_VAR) != NULL)
    pl_handle_argvar(L, h, arg);
  pl_handle_argvalue(L, h, arg);
}

/* Takes the value or variable at `arg`, maybe of that type; returns its own. */
static ph_type take_handle(lua_State *L, pl_funcobj *h, int arg, ph_type type,
                           ph_value *v) {
  const pl_handle *it = pl_userdata_own(L, h, arg);
  uint32_t tag = it != NULL ? it->tag : 0, id = it != NULL ? it->id : 0;
  ph_type found = PH_NOTYPE;
  if (tag == pl_userdata_tag(h, PL_KIND_VAR)) {
    *v = from_var((ph_var){id});
    return ph_var_type(h->f, pl_operand_var(*v));
  }
  v->id = id;
  if (tag != pl_userdata_tag(h, PL_KIND_VALUE) ||
      !ph_value_take(h->f, v, &found))
    refuse_handle(L, h, arg, type);
  return found;
}

ph_type pl_operand_take(lua_State *L, pl_funcobj *h, int arg, ph_type type,
                        ph_var var, ph_value *v) {
  v->id = 0;
  if (!pl_literal_is(L, arg)) {
    ph_type found = take_handle(L, h, arg, type, v);
    if (type == PH_NOTYPE || type == found) return found;
  } else if (type == PH_NOTYPE) {
    return pl_literal_alone(L, arg);
  } else if (pl_literal_fits(L, arg, type)) {
    return type;
  } else if (lua_isinteger(L, arg) && ph_type_isint(type)) {
    pl_error_arg(L, h, arg, "%g does not fit %t", arg, type);
  }
  if (ph_some(var))
    pl_error_arg(L, h, arg, "%t expected by variable '%x', got %g", type, var,
                 arg);
  pl_error_arg(L, h, arg, "%t expected, got %g", type, arg);
  return PH_NOTYPE;
}

ph_type pl_operand_typed(lua_State *L, pl_funcobj *h, int arg, ph_type type,
                         ph_var var) {
  ph_value v;
  type = pl_operand_take(L, h, arg, type, var, &v);
  if (pl_operand_isvar(v))
    pl_handle_argvalue(L, h, arg); /* tells what is wrong */
  return type;
}

void pl_operand_checktargets(lua_State *L, pl_funcobj *h, ph_op op, int n,
                             int m) {
  bool ends = (ph_op_flags(h->f, op) & PH_TERMINATOR) != 0;
  int want = ends ? ph_op_ntargets(h->f, op) : 0;
  if (op == PH_SWITCH) want = n; /* one for each key, and the default */
  if (want != PH_VARIADIC && want != m)
    pl_error(L, h, "'%o' has %d target%s, got %d", op, want,
             want == 1 ? "" : "s", m);
}

/* }== Making ========================================================= */

/* A read can replace the result of an earlier one, or a value that was
** given. */
void pl_operand_readvars(lua_State *L, pl_funcobj *h, pl_operands *o, int fn) {
  pl_read_begin(L, h, o->reads);
  for (int i = 0; i < o->n; i++)
    if (pl_operand_isvar(o->args[i]))
      o->args[i] = ph_build_read(h->f, pl_operand_var(o->args[i]), o->reads);
  pl_read_end(L, h, fn);
  for (int i = 0; i < o->n; i++)
    if (ph_some(o->args[i])) o->args[i] = ph_value_resolve(h->f, o->args[i]);
}

void pl_operand_make(lua_State *L, ph_func *f, pl_operands *o) {
  for (int i = 0; i < o->n; i++)
    if (!ph_some(o->args[i]))
      o->args[i] = pl_literal_value(L, f, o->first + i, o->types[i]);
}

ph_value pl_operand_one(lua_State *L, ph_func *f, int arg, ph_type type) {
  const pl_handle *v = pl_userdata_test(L, arg, PL_KIND_VALUE);
  if (v != NULL) return ph_value_resolve(f, (ph_value){v->id});
  return pl_literal_value(L, f, arg, type);
}

/* }=================================================================== */
