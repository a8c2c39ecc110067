/* opcheck.c: which operands fit an op, and which types operands can have.
**
** The signature of an op is interpreted letter by letter (op.def explains
** them): operands with the same letter have the same type, and so has the
** result.  Existing values, types alone and positions in a pattern are checked
** in the same way.
*/
#include "core/ir/opcheck.h"

#include <string.h>

#include "core/ir/type.h"
#include "core/ir/op.h"

/*
** {== Letters ========================================================
*/

static bool is_variadic(const char *operands) {
  return strchr(operands, '*') != NULL;
}

/* Returns the letter of operand i; the starred one is that of all that
** follow. */
static char letter(const char *operands, int i) {
  int n = (int)strlen(operands);
  if (is_variadic(operands) && i > n - 2) i = n - 2;
  return i < n ? operands[i] : '\0';
}

char ph_opcheck_letter(ph_op op, int i) {
  return i < 0 ? ph_op_result(op) : letter(ph_op_operands(op), i);
}

/* Returns the first operand with this letter before operand `before`, or -1. */
static int first_like(const char *operands, char c, int before) {
  for (int i = 0; i < before; i++)
    if (letter(operands, i) == c) return i;
  return -1;
}

/* }== Fitting ======================================================== */

static ph_mismatch misfit(ph_mismatch_kind kind, int arg) {
  ph_mismatch m = {0};
  m.kind = kind;
  m.arg = arg;
  return m;
}

static ph_mismatch wrong_count(int want) {
  ph_mismatch m = misfit(PH_WRONG_COUNT, 0);
  m.want = want;
  return m;
}

static ph_mismatch wrong_type(int arg, ph_type type) {
  ph_mismatch m = misfit(PH_WRONG_TYPE, arg);
  m.type = type;
  return m;
}

static bool kind_fits(char c, ph_type type) {
  switch (c) {
    case 't':
    case 'i':
      return ph_type_isint(type);
    case 'f':
    case 'g':
      return ph_type_isfloat(type);
    default:
      return type != PH_NOTYPE;
  }
}

/* What an operand with this letter must be. */
static ph_mismatch_kind wanted_kind(char c) {
  if (c == 't' || c == 'i') return PH_WANTS_INT;
  return c == 'f' || c == 'g' ? PH_WANTS_FLOAT : PH_WANTS_VALUE;
}

/* The operands of an op: values, or only their types. */
typedef struct {
  const ph_func *f;
  const ph_value *values;
  const ph_type *types;
  int n;
} given;

static ph_type type_at(const given *g, int i) {
  return g->types != NULL ? g->types[i] : ph_value_type(g->f, g->values[i]);
}

static ph_mismatch fit_operand(const char *operands, const given *g, int i) {
  char c = letter(operands, i);
  ph_type type = type_at(g, i);
  int like = strchr("tfx", c) != NULL ? first_like(operands, c, i) : -1;
  if (c == 'b' && type != PH_I1) return wrong_type(i, PH_I1);
  if (like >= 0 && type != type_at(g, like)) {
    ph_mismatch m = misfit(PH_WRONG_LIKE, i);
    m.like = like;
    m.type = type_at(g, like);
    return m;
  }
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
    case PH_CLASS_BITCAST:
      return type != PH_NOTYPE && ph_type_width(type) == ph_type_width(from);
    default:
      return type != PH_NOTYPE || ph_op_result(op) == 'V';
  }
}

static ph_mismatch fit_result(ph_op op, const given *g, ph_type *type) {
  char c = ph_op_result(op);
  if (ph_op_needstype(g->f, op)) {
    ph_type from = g->n > 0 ? type_at(g, 0) : PH_NOTYPE;
    return misfit(result_fits(op, from, *type) ? PH_FITS : PH_WRONG_RESULT, 0);
  }
  if (c == 'b')
    *type = PH_I1;
  else if (c == '-')
    *type = PH_NOTYPE;
  else if (op != PH_PHI || g->n > 0)
    *type = type_at(g, first_like(ph_op_operands(op), c, g->n));
  return misfit(PH_FITS, 0);
}

static ph_mismatch fit_ret(const given *g, ph_type *type) {
  int want = g->f->result != PH_NOTYPE;
  *type = PH_NOTYPE;
  if (g->n != want) return wrong_count(want);
  if (want == 1 && type_at(g, 0) != g->f->result)
    return wrong_type(0, g->f->result);
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
  *type = ph_type_own(a, s->result);
  return misfit(PH_FITS, 0);
}

static ph_mismatch fit(ph_op op, const given *g, ph_type *type) {
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
  return fit(op, &g, type);
}

ph_mismatch ph_opcheck_types(const ph_func *f, ph_op op, const ph_type *args,
                             int n, ph_type *type) {
  given g = {f, NULL, args, n};
  return fit(op, &g, type);
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
  if (op == PH_RET) return i == 0 ? f->result : PH_NOTYPE;
  if (op >= PH_OPS) return dialect_wants(f, op, i);
  c = letter(ph_op_operands(op), i);
  if (c == 'b') return PH_I1;
  if (c == '\0' || strchr("tfx", c) == NULL) return PH_NOTYPE;
  for (int j = 0; j < n; j++)
    if (args[j] != PH_NOTYPE && letter(ph_op_operands(op), j) == c)
      return args[j];
  return PH_NOTYPE;
}

/* }== Types of positions ============================================= */

static ph_typing typing_of(char c) {
  const uint16_t ints =
      1 << PH_I1 | 1 << PH_I8 | 1 << PH_I16 | 1 << PH_I32 | 1 << PH_I64;
  const uint16_t floats = 1 << PH_F32 | 1 << PH_F64;
  ph_typing t = {PH_NOTYPE, false, ints, 0};
  if (strchr("tfx", c) != NULL) t.letter = c;
  switch (c) {
    case 'b':
      t.fixed = PH_I1;
      t.mask = 1 << PH_I1;
      return t;
    case 't':
    case 'i':
    case 'I':
      return t;
    case 'f':
    case 'g':
    case 'G':
      t.mask = floats;
      return t;
    default: /* any */
      t.mask = ints | floats | 1 << PH_ANY;
      t.dialects = true;
      return t;
  }
}

ph_typing ph_opcheck_typing(const ph_func *f, ph_op op, int i) {
  ph_typing t = typing_of('v');
  const ph_opspec *s;
  if (op < PH_OPS)
    return typing_of(i < 0 ? ph_op_result(op) : letter(ph_op_operands(op), i));
  s = ph_op_spec(f, op);
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
