/* opcheck.c: which operands fit an op, and which types operands can have.
**
** The signature of an op is interpreted letter by letter (op.def explains
** them): operands with the same letter have the same type, and so has the
** result.  Existing values, types alone and positions in a pattern are checked
** in the same way.
*/
#include "core/ir/opcheck.h"

#include <string.h>

#include "core/base/idmap.h"
#include "core/ir/contract.h"
#include "core/ir/op.h"

/*
** {== Letters ========================================================
*/

static bool is_variadic(const char *operands) {
  return strchr(operands, '*') != NULL;
}

/* Returns the letter of operand i; the starred one is that of all that
** follow. */
static char letter_at(const char *operands, int i) {
  int n = (int)strlen(operands);
  if (is_variadic(operands) && i > n - 2) i = n - 2;
  return i < n ? operands[i] : '\0';
}

char ph_opcheck_letter(ph_op op, int i) {
  return i < 0 ? ph_op_result(op) : letter_at(ph_op_operands(op), i);
}

/* Returns the type that a letter stands for, or PH_NOTYPE: one of several. */
static ph_type type_of_letter(char c) {
  if (c == 'b') return PH_I1;
  if (c == 'y') return PH_I8;
  if (c == 'n') return PH_I64;
  return c == 'p' ? PH_PTR : PH_NOTYPE;
}

/* True if positions with this letter have the same type. */
static bool is_shared(char c) {
  return c != '\0' && strchr("tfxew", c) != NULL;
}

/* Returns the first operand with this letter before operand `before`, or -1. */
static int first_like(const char *operands, char c, int before) {
  for (int i = 0; i < before; i++)
    if (letter_at(operands, i) == c) return i;
  return -1;
}

/* }== Fitting ======================================================== */

static ph_mismatch misfit(ph_mismatch_kind kind, int arg) {
  return (ph_mismatch){.kind = kind, .arg = arg};
}

static ph_mismatch wrong_count(int want) {
  return (ph_mismatch){.kind = PH_WRONG_COUNT, .want = want};
}

static ph_mismatch wrong_type(int arg, ph_type type) {
  return (ph_mismatch){.kind = PH_WRONG_TYPE, .arg = arg, .type = type};
}

static bool kind_fits(char c, ph_type type) {
  if (c == 't' || c == 'i') return ph_type_isint(type);
  if (c == 'f' || c == 'g') return ph_type_isfloat(type);
  if (c == 'e') return ph_type_isint(type) || type == PH_PTR;
  if (c == 'w') return ph_type_isint(type) && ph_type_width(type) >= 16;
  return c == 'm' ? ph_type_isstored(type) : type != PH_NOTYPE;
}

/* What an operand with this letter must be. */
static ph_mismatch_kind wanted_kind(char c) {
  if (c == 't' || c == 'i') return PH_WANTS_INT;
  if (c == 'e') return PH_WANTS_INTPTR;
  if (c == 'w') return PH_WANTS_WIDE;
  if (c == 'm') return PH_WANTS_STORED;
  return c == 'f' || c == 'g' ? PH_WANTS_FLOAT : PH_WANTS_VALUE;
}

const char *ph_opcheck_wanted(ph_mismatch_kind kind) {
  switch (kind) {
    case PH_WANTS_INT:
      return "an integer";
    case PH_WANTS_FLOAT:
      return "a float";
    case PH_WANTS_INTPTR:
      return "an integer or ptr";
    case PH_WANTS_WIDE:
      return "an integer of 16 bits or more";
    case PH_WANTS_STORED:
      return "an integer, float or ptr";
    case PH_WANTS_VALUE:
      return "a value";
    default:
      return NULL;
  }
}

/* The operands of an op: values, or only their types. */
typedef struct {
  const ph_func *f;
  const ph_value *values;
  const ph_type *types;
  int n;
} given;

static ph_type type_at(const given *g, int i) {
  ph_require((g->types != NULL || g->values != NULL) && "operands");
  return g->types != NULL ? g->types[i] : ph_value_type(g->f, g->values[i]);
}

static ph_mismatch fit_operand(const char *operands, const given *g, int i) {
  char c = letter_at(operands, i);
  ph_type type = type_at(g, i);
  ph_type only = type_of_letter(c);
  int like = is_shared(c) ? first_like(operands, c, i) : -1;
  if (only != PH_NOTYPE && type != only) return wrong_type(i, only);
  if (like >= 0 && type != type_at(g, like))
    return (ph_mismatch){.kind = PH_WRONG_LIKE,
                         .arg = i,
                         .like = like,
                         .type = type_at(g, like)};
  if (!kind_fits(c, type)) return misfit(wanted_kind(c), i);
  return misfit(PH_FITS, 0);
}

/* For ops whose result type is stated: true if `type` goes with the operand. */
static bool result_fits(ph_op op, ph_type from, ph_type type) {
  switch (ph_op_classof(op)) {
    case PH_CLASS_NARROW:
      return ph_type_isint(type) && ph_type_width(type) < ph_type_width(from);
    case PH_CLASS_WIDEN:
      return ph_type_isint(type) && ph_type_width(type) > ph_type_width(from);
    case PH_CLASS_TOFLOAT:
      return ph_type_isfloat(type);
    case PH_CLASS_TOINT:
      return ph_type_isint(type);
    case PH_CLASS_FWIDEN:
      return ph_type_isfloat(type) && ph_type_width(type) > ph_type_width(from);
    case PH_CLASS_FNARROW:
      return ph_type_isfloat(type) && ph_type_width(type) < ph_type_width(from);
    case PH_CLASS_BITCAST:
      return type != PH_NOTYPE && ph_type_width(type) == ph_type_width(from);
    default:
      if (ph_op_result(op) == 'M') return ph_type_isstored(type);
      return type != PH_NOTYPE || ph_op_result(op) == 'V';
  }
}

static ph_mismatch fit_result(ph_op op, const given *g, ph_type *type) {
  char c = ph_op_result(op);
  if (ph_op_needstype(g->f, op)) {
    ph_type from = g->n > 0 ? type_at(g, 0) : PH_NOTYPE;
    bool fits =
        result_fits(op, from, *type) && ph_contract_hastype(g->f, *type);
    return misfit(fits ? PH_FITS : PH_WRONG_RESULT, 0);
  }
  if (!is_shared(c))
    *type = type_of_letter(c);
  else if (op != PH_PHI || g->n > 0)
    *type = type_at(g, first_like(ph_op_operands(op), c, g->n));
  return misfit(PH_FITS, 0);
}

static ph_mismatch fit_ret(const given *g, ph_type *type) {
  uint32_t want = ph_body_nresults(g->f);
  *type = PH_NOTYPE;
  if (g->n != (int)want) return wrong_count((int)want);
  for (uint32_t i = 0; i < want; i++) {
    ph_type result = ph_body_result(g->f, i);
    if (type_at(g, (int)i) != result) return wrong_type((int)i, result);
  }
  return misfit(PH_FITS, 0);
}

static ph_mismatch fit_dialect(ph_op op, const given *g, ph_type *type) {
  const ph_attached *a = ph_op_owner(g->f, op);
  const ph_opspec *s = &a->dialect->ops[op - a->op];
  if (s->nargs != PH_VARIADIC && g->n != s->nargs) return wrong_count(s->nargs);
  for (int i = 0; i < g->n; i++) {
    ph_type is_type = type_at(g, i);
    if (is_type == PH_NOTYPE) return misfit(PH_WANTS_VALUE, i);
    if (s->args != NULL && s->nargs != PH_VARIADIC &&
        is_type != ph_type_own(a, s->args[i]))
      return wrong_type(i, ph_type_own(a, s->args[i]));
  }
  if (s->result != PH_SAIDTYPE)
    *type = ph_type_own(a, s->result);
  else if (!ph_contract_istype(g->f, *type))
    return misfit(PH_WRONG_RESULT, 0);
  return misfit(PH_FITS, 0);
}

static ph_mismatch fit_op(ph_op op, const given *g, ph_type *type) {
  const char *operands;
  int want;
  if (op == PH_RET) return fit_ret(g, type);
  if (op >= PH_OPS) return fit_dialect(op, g, type);
  operands = ph_op_operands(op);
  want = (int)strlen(operands);
  if (is_variadic(operands) ? g->n < want - 2 : g->n != want)
    return wrong_count(is_variadic(operands) ? want - 2 : want);
  for (int i = 0; i < g->n; i++) {
    ph_mismatch m = fit_operand(operands, g, i);
    if (m.kind != PH_FITS) return m;
  }
  return fit_result(op, g, type);
}

ph_mismatch ph_opcheck_values(const ph_func *f, ph_op op, const ph_value *args,
                              int n, ph_type *type) {
  given g = {f, args, NULL, n};
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  return fit_op(op, &g, ph_ptr(type));
}

ph_mismatch ph_opcheck_types(const ph_func *f, ph_op op, const ph_type *args,
                             int n, ph_type *type) {
  given g = {f, NULL, args, n};
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  return fit_op(op, &g, ph_ptr(type));
}

static ph_type dialect_wants(const ph_func *f, ph_op op, int i) {
  const ph_attached *a = ph_op_owner(f, op);
  const ph_opspec *s = &a->dialect->ops[op - a->op];
  if (s->args == NULL || i >= s->nargs) return PH_NOTYPE;
  return ph_type_own(a, s->args[i]);
}

ph_type ph_opcheck_wants(const ph_func *f, ph_op op, const ph_type *args, int n,
                         int i) {
  char c;
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  if (op == PH_RET)
    return (uint32_t)i < ph_body_nresults(f) ? ph_body_result(f, (uint32_t)i)
                                             : PH_NOTYPE;
  if (op >= PH_OPS) return dialect_wants(f, op, i);
  c = letter_at(ph_op_operands(op), i);
  if (!is_shared(c)) return type_of_letter(c);
  for (int j = 0; j < n; j++)
    if (ph_ptr(args)[j] != PH_NOTYPE && letter_at(ph_op_operands(op), j) == c)
      return args[j];
  return PH_NOTYPE;
}

/* }== What a host must keep to ======================================= */

bool ph_opcheck_isinst(const ph_func *f, ph_op op) {
  return ph_contract_hasop(f, op) && op != PH_NONE && op != PH_PHI &&
         !ph_op_has(f, op, PH_TERMINATOR | PH_LEAF);
}

static ph_type type_of(const ph_func *f, ph_value v) {
  return f->nodes.at[ph_body_resolve(f, v.id)].type;
}

static bool letter_fits(char c, ph_type type, bool first, ph_type like) {
  if (c == 't' || c == 'e')
    return ph_type_isint(type) && (first || type == like);
  return c == 'b' ? type == PH_I1 : c == 'v' && type != PH_NOTYPE;
}

/* True if operands of the commonest letters fit, in few instructions, since all
** that is emitted is asked; false: it must be checked letter by letter. */
static bool surely_fits(const ph_func *f, const char *signature, ph_type type,
                        const ph_value *args, uint32_t n) {
  const char *letters = signature + 2;
  ph_type like = PH_NOTYPE;
  for (uint32_t i = 0; i < n; i++) {
    ph_type t = type_of(f, args[i]);
    if (!letter_fits(*letters, t, i == 0, like)) return false;
    like = t;
    if (letters[1] != '*') letters++;
  }
  if (*letters != '\0' && letters[1] != '*') return false;
  return (signature[0] == 'V' && ph_contract_hastype(f, type)) ||
         (signature[0] == '-' && type == PH_NOTYPE) ||
         (signature[0] == 't' && type == like) ||
         (signature[0] == 'b' && type == PH_I1);
}

/* Returns a constant's integer; else 0, which no operand of an alloca is. */
static int64_t integer_of(const ph_func *f, ph_value v) {
  const ph_node *n = ph_node_of(f, ph_body_resolve(f, v.id));
  bool is_const = n->op == PH_CONST && n->aux < f->datas.n;
  return is_const ? (int64_t)f->datas.at[n->aux].bits : 0;
}

ph_alloca_fault ph_opcheck_alloca(int64_t size, int64_t align) {
  if (size < 1 || size > PH_ALLOCA_MOST) return PH_ALLOCA_SIZE;
  if (align < 1 || align > PH_ALIGN_MOST || (align & (align - 1)) != 0)
    return PH_ALLOCA_ALIGN;
  return PH_ALLOCA_FITS;
}

ph_alloca_fault ph_opcheck_allocaargs(const ph_func *f, ph_value size,
                                      ph_value align) {
  ph_require(ph_contract_hasvalue(f, size) && ph_contract_hasvalue(f, align) &&
             "operands are values of this function");
  return ph_opcheck_alloca(integer_of(f, size), integer_of(f, align));
}

bool ph_opcheck_fits(const ph_func *f, ph_op op, ph_type type,
                     const ph_value *args, uint32_t n) {
  ph_type got = type;
  if (op == PH_ALLOCA)
    return type == PH_PTR && n == 2 &&
           ph_opcheck_allocaargs(f, args[0], args[1]) == PH_ALLOCA_FITS;
  if (op < PH_OPS && op != PH_RET &&
      surely_fits(f, ph_op_rows[op].signature, type, args, n))
    return true;
  return ph_opcheck_values(f, op, args, (int)n, &got).kind == PH_FITS &&
         got == type;
}

bool ph_opcheck_fitsas(ph_func *f, ph_value v, uint32_t i, ph_value w) {
  uint32_t n = ph_value_nargs(f, v);
  ph_arena_mark bottom = ph_scratch_open(f);
  ph_type *types = ph_arena_alloc(&f->scratch, n * sizeof *types);
  ph_type type = ph_value_type(f, v);
  bool fits;
  for (uint32_t k = 0; k < n; k++)
    types[k] = ph_value_type(f, k == i ? w : ph_value_arg(f, v, k));
  fits = ph_opcheck_types(f, ph_value_op(f, v), types, (int)n, &type).kind ==
             PH_FITS &&
         type == ph_value_type(f, v);
  if (ph_value_op(f, v) == PH_ALLOCA)
    fits = fits && ph_opcheck_allocaargs(f, i == 0 ? w : ph_value_arg(f, v, 0),
                                         i == 1 ? w : ph_value_arg(f, v, 1)) ==
                       PH_ALLOCA_FITS;
  ph_scratch_leave(f, bottom);
  return fits;
}

bool ph_opcheck_fittargets(const ph_func *f, ph_op op, uint32_t n, uint32_t m) {
  int want = ph_op_ntargets(f, op);
  if (op == PH_SWITCH) return m == n;
  return want == PH_VARIADIC || m == (uint32_t)want;
}

/* Equal constants are one value. */
bool ph_opcheck_fitkeys(ph_func *f, const ph_value *args, uint32_t n) {
  ph_arena_mark bottom = ph_scratch_open(f);
  ph_idset keys = {0};
  bool fit = true;
  for (uint32_t i = 1; i < n && fit; i++)
    fit = ph_value_op(f, args[i]) == PH_CONST &&
          ph_idset_add(&keys, &f->scratch, ph_body_resolve(f, args[i].id));
  ph_scratch_leave(f, bottom);
  return fit;
}

/* }== Types of positions ============================================= */

static ph_typing typing_of(char c) {
  const uint16_t ints =
      1 << PH_I1 | 1 << PH_I8 | 1 << PH_I16 | 1 << PH_I32 | 1 << PH_I64;
  const uint16_t floats = 1 << PH_F32 | 1 << PH_F64, ptr = 1 << PH_PTR;
  ph_typing t = {type_of_letter(c), false, ints, is_shared(c) ? c : '\0'};
  if (t.fixed != PH_NOTYPE) {
    t.mask = (uint16_t)(1 << t.fixed);
  } else if (strchr("fgG", c) != NULL) {
    t.mask = floats;
  } else if (c == 'e') {
    t.mask = ints | ptr;
  } else if (c == 'w') {
    t.mask = 1 << PH_I16 | 1 << PH_I32 | 1 << PH_I64;
  } else if (c == 'm' || c == 'M') {
    t.mask = ints | floats | ptr;
  } else if (strchr("tiI", c) == NULL) { /* any */
    t.mask = ints | floats | ptr | 1 << PH_ANY;
    t.dialects = true;
  }
  return t;
}

ph_typing ph_opcheck_typing(const ph_func *f, ph_op op, int i) {
  ph_typing t = typing_of('v');
  const ph_opspec *s;
  if (op < PH_OPS)
    return typing_of(i < 0 ? ph_op_result(op)
                           : letter_at(ph_op_operands(op), i));
  s = ph_op_spec(f, op);
  if (i < 0 && s->result == PH_SAIDTYPE) return t;
  if (i < 0)
    t.fixed = ph_type_own(ph_op_owner(f, op), s->result);
  else if (s->args != NULL && s->nargs != PH_VARIADIC)
    t.fixed = dialect_wants(f, op, i);
  if (t.fixed != PH_NOTYPE) {
    t.mask = t.fixed < PH_TYPES ? (uint16_t)(1 << t.fixed) : 0;
    t.dialects = t.fixed >= PH_TYPES;
  }
  return t;
}

/* }=================================================================== */
