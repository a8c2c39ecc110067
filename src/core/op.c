/* op.c: the tables of ops and types, and what operands fit an op.
**
** The ops of phial are rows of op.def; their operands are described by a
** signature of one letter each, so that one small interpreter answers every
** question about them.  The ops of a dialect are rows of its own table; op
** numbers from PH_OPS on and types from PH_TYPES on are given out in the
** order in which dialects are attached.
*/
#include "core/op.h"

#include <assert.h>
#include <string.h>

typedef struct {
  const char *name, *signature;
  int8_t targets;
} row;

static const row rows[] = {
#define PH_OP(NAME, name, signature, flags, targets) \
  {name, signature, (targets)},
#include "core/op.def"
#undef PH_OP
};

const uint8_t ph_op_fixed[] = {
#define PH_OP(NAME, name, signature, flags, targets) (flags),
#include "core/op.def"
#undef PH_OP
};

static const struct {
  const char *name;
  int bits;
} types[] = {{"none", 0}, {"i1", 1},   {"i8", 8},   {"i16", 16}, {"i32", 32},
             {"i64", 64}, {"f32", 32}, {"f64", 64}, {"any", 0}};

/*
** {== Dialects =======================================================
*/

ph_op ph_op_attach(ph_func *f, const ph_dialect *d) {
  ph_attached a = {d, PH_OPS, PH_TYPES};
  for (uint32_t i = 0; i < f->dialects.n; i++) {
    a = f->dialects.at[i];
    if (a.dialect == d) return a.op;
    a.op = (ph_op)(a.op + a.dialect->nops);
    a.type = (ph_type)(a.type + a.dialect->ntypes);
  }
  assert(a.type + d->ntypes <= UINT8_MAX && "too many types of dialects");
  assert(a.op + d->nops <= UINT16_MAX && "too many ops of dialects");
  a.dialect = d;
  ph_dialects_push(&f->dialects, &f->arena, a);
  ph_bytes_reserve(&f->flags, &f->arena, f->flags.n + d->nops);
  for (uint16_t i = 0; i < d->nops; i++)
    f->flags.at[f->flags.n++] = d->ops[i].flags;
  return a.op;
}

const ph_attached *ph_op_owner(const ph_func *f, ph_op op) {
  const ph_attached *a = f->dialects.at + f->dialects.n;
  if (op < PH_OPS) return NULL;
  do a--;
  while (op < a->op);
  return a;
}

const ph_opspec *ph_op_spec(const ph_func *f, ph_op op) {
  const ph_attached *a = ph_op_owner(f, op);
  return &a->dialect->ops[op - a->op];
}

const ph_attached *ph_op_typeowner(const ph_func *f, ph_type type) {
  const ph_attached *a = f->dialects.at + f->dialects.n;
  if (type < PH_TYPES) return NULL;
  do a--;
  while (type < a->type);
  return a;
}

/* A type of d's own numbering in the numbering of f. */
static ph_type own_type(const ph_attached *a, ph_type t) {
  return t < PH_TYPES ? t : (ph_type)(t - PH_TYPES + a->type);
}

ph_type ph_op_typeof(const ph_func *f, const ph_dialect *d, ph_type t) {
  for (uint32_t i = 0; i < f->dialects.n; i++)
    if (f->dialects.at[i].dialect == d) return own_type(&f->dialects.at[i], t);
  return PH_NOTYPE;
}

/* }== Names ========================================================== */

static ph_str text(const char *s) { return (ph_str){s, strlen(s)}; }

static bool is(ph_str a, const char *b) {
  return strlen(b) == a.n && memcmp(a.at, b, a.n) == 0;
}

ph_str ph_op_name(const ph_func *f, ph_op op) {
  return text(op < PH_OPS ? rows[op].name : ph_op_spec(f, op)->name);
}

ph_str ph_op_dialect(const ph_func *f, ph_op op) {
  const ph_attached *a = ph_op_owner(f, op);
  return text(a == NULL ? "" : a->dialect->name);
}

ph_str ph_op_typename(const ph_func *f, ph_type type) {
  const ph_attached *a = ph_op_typeowner(f, type);
  return text(a == NULL ? types[type].name : a->dialect->types[type - a->type]);
}

ph_str ph_op_typedialect(const ph_func *f, ph_type type) {
  const ph_attached *a = ph_op_typeowner(f, type);
  return text(a == NULL ? "" : a->dialect->name);
}

/* Splits "dialect.name"; NULL when no attached dialect has that name. */
static const ph_attached *find_dialect(const ph_func *f, ph_str *name) {
  const char *dot = memchr(name->at, '.', name->n);
  ph_str first;
  if (dot == NULL) return NULL;
  first = (ph_str){name->at, (size_t)(dot - name->at)};
  for (uint32_t i = 0; i < f->dialects.n; i++)
    if (is(first, f->dialects.at[i].dialect->name)) {
      name->n -= first.n + 1;
      name->at = dot + 1;
      return &f->dialects.at[i];
    }
  return NULL;
}

bool ph_op_find(const ph_func *f, ph_str name, ph_op *op) {
  const ph_attached *a = find_dialect(f, &name);
  if (a == NULL) {
    for (*op = PH_CONST; *op < PH_OPS; ++*op)
      if (is(name, rows[*op].name)) return true;
    return false;
  }
  for (uint16_t i = 0; i < a->dialect->nops; i++)
    if (is(name, a->dialect->ops[i].name)) {
      *op = (ph_op)(a->op + i);
      return true;
    }
  return false;
}

bool ph_op_findtype(const ph_func *f, ph_str name, ph_type *type) {
  const ph_attached *a = find_dialect(f, &name);
  if (a == NULL) {
    for (*type = PH_I1; *type < PH_TYPES; ++*type)
      if (is(name, types[*type].name)) return true;
    return false;
  }
  for (uint16_t i = 0; i < a->dialect->ntypes; i++)
    if (is(name, a->dialect->types[i])) {
      *type = (ph_type)(a->type + i);
      return true;
    }
  return false;
}

/* }== Properties ===================================================== */

uint8_t ph_op_flags(const ph_func *f, ph_op op) { return ph_op_flagsof(f, op); }

static const char *operands_of(ph_op op) {
  return strchr(rows[op].signature, ':') + 1;
}

static bool is_variadic(const char *operands) {
  return strchr(operands, '*') != NULL;
}

int ph_op_nargs(const ph_func *f, ph_op op) {
  if (op >= PH_OPS) return ph_op_spec(f, op)->nargs;
  return is_variadic(operands_of(op)) ? PH_VARIADIC
                                      : (int)strlen(operands_of(op));
}

int ph_op_ntargets(const ph_func *f, ph_op op) {
  return op < PH_OPS ? rows[op].targets : ph_op_spec(f, op)->ntargets;
}

int ph_op_nresults(const ph_func *f, ph_op op) {
  if (op < PH_OPS) return rows[op].signature[0] != '-';
  if (ph_op_spec(f, op)->result == PH_NOTYPE) return 0;
  return ph_op_spec(f, op)->nresults > 1 ? ph_op_spec(f, op)->nresults : 1;
}

bool ph_op_saystype(const ph_func *f, ph_op op) {
  (void)f;
  return op < PH_OPS && strchr("IGXV", rows[op].signature[0]) != NULL;
}

int ph_op_width(ph_type type) { return type < PH_TYPES ? types[type].bits : 0; }

bool ph_op_isint(ph_type type) { return type >= PH_I1 && type <= PH_I64; }

bool ph_op_isfloat(ph_type type) { return type == PH_F32 || type == PH_F64; }

/* }== Fitting ======================================================== */

static ph_misfit misfit(ph_fit fit, int arg) {
  ph_misfit m = {0};
  m.fit = fit;
  m.arg = arg;
  return m;
}

static ph_misfit wrong_count(int want) {
  ph_misfit m = misfit(PH_WRONG_COUNT, 0);
  m.want = want;
  return m;
}

static ph_misfit wrong_type(int arg, ph_type type) {
  ph_misfit m = misfit(PH_WRONG_TYPE, arg);
  m.type = type;
  return m;
}

static ph_misfit wrong_kind(int arg, char kind) {
  ph_misfit m = misfit(PH_WRONG_KIND, arg);
  m.kind = kind;
  return m;
}

/* The letter of operand i; the starred one stands for all that follow. */
static char letter(const char *operands, int i) {
  int n = (int)strlen(operands);
  if (is_variadic(operands) && i > n - 2) i = n - 2;
  return i < n ? operands[i] : '\0';
}

char ph_op_letter(ph_op op, int i) {
  return i < 0 ? rows[op].signature[0] : letter(operands_of(op), i);
}

/* The first operand with this letter, before operand `before`. */
static int first_like(const char *operands, char c, int before) {
  for (int i = 0; i < before; i++)
    if (letter(operands, i) == c) return i;
  return -1;
}

static bool kind_fits(char c, ph_type type) {
  switch (c) {
    case 't':
    case 'i':
      return ph_op_isint(type);
    case 'f':
    case 'g':
      return ph_op_isfloat(type);
    default:
      return type != PH_NOTYPE;
  }
}

static char kind_of(char c) { return c == 't' ? 'i' : c == 'f' ? 'g' : c; }

/* The operands of an op: values, or only their types. */
typedef struct {
  const ph_func *f;
  const ph_value *values;
  const ph_type *types;
  int n;
} given;

static ph_type type_at(const given *g, int i) {
  return g->types != NULL ? g->types[i] : ph_ir_type(g->f, g->values[i]);
}

static ph_misfit fit_operand(const char *operands, const given *g, int i) {
  char c = letter(operands, i);
  ph_type type = type_at(g, i);
  int like = strchr("tfx", c) != NULL ? first_like(operands, c, i) : -1;
  if (c == 'b' && type != PH_I1) return wrong_type(i, PH_I1);
  if (like >= 0 && type != type_at(g, like)) {
    ph_misfit m = misfit(PH_WRONG_LIKE, i);
    m.like = like;
    m.type = type_at(g, like);
    return m;
  }
  if (!kind_fits(c, type)) return wrong_kind(i, kind_of(c));
  return misfit(PH_FITS, 0);
}

/* Ops whose result type is said: does `type` go with the operand? */
static bool result_fits(ph_op op, ph_type from, ph_type type) {
  switch (op) {
    case PH_TRUNC:
      return ph_op_isint(type) && ph_op_width(type) < ph_op_width(from);
    case PH_ZEXT:
    case PH_SEXT:
      return ph_op_isint(type) && ph_op_width(type) > ph_op_width(from);
    case PH_ITOF:
    case PH_UTOF:
      return ph_op_isfloat(type);
    case PH_FTOI:
    case PH_FTOU:
      return ph_op_isint(type);
    case PH_BITCAST:
      return type != PH_NOTYPE && ph_op_width(type) == ph_op_width(from);
    case PH_CALL:
      return true;
    default:
      return type != PH_NOTYPE;
  }
}

static ph_misfit fit_result(ph_op op, const given *g, ph_type *type) {
  char c = rows[op].signature[0];
  if (ph_op_saystype(g->f, op)) {
    ph_type from = g->n > 0 ? type_at(g, 0) : PH_NOTYPE;
    return misfit(result_fits(op, from, *type) ? PH_FITS : PH_WRONG_RESULT, 0);
  }
  if (c == 'b')
    *type = PH_I1;
  else if (c == '-')
    *type = PH_NOTYPE;
  else if (op != PH_PHI || g->n > 0)
    *type = type_at(g, first_like(operands_of(op), c, g->n));
  return misfit(PH_FITS, 0);
}

static ph_misfit fit_ret(const given *g, ph_type *type) {
  int want = g->f->result != PH_NOTYPE;
  *type = PH_NOTYPE;
  if (g->n != want) return wrong_count(want);
  if (want == 1 && type_at(g, 0) != g->f->result)
    return wrong_type(0, g->f->result);
  return misfit(PH_FITS, 0);
}

static ph_misfit fit_dialect(ph_op op, const given *g, ph_type *type) {
  const ph_attached *a = ph_op_owner(g->f, op);
  const ph_opspec *s = &a->dialect->ops[op - a->op];
  if (s->nargs != PH_VARIADIC && g->n != s->nargs) return wrong_count(s->nargs);
  for (int i = 0; i < g->n; i++) {
    ph_type is_type = type_at(g, i);
    if (is_type == PH_NOTYPE) return wrong_kind(i, 'v');
    if (s->args != NULL && s->nargs != PH_VARIADIC &&
        is_type != own_type(a, s->args[i]))
      return wrong_type(i, own_type(a, s->args[i]));
  }
  *type = own_type(a, s->result);
  return misfit(PH_FITS, 0);
}

static ph_misfit fit(ph_op op, const given *g, ph_type *type) {
  const char *operands;
  int want;
  if (op == PH_RET) return fit_ret(g, type);
  if (op >= PH_OPS) return fit_dialect(op, g, type);
  operands = operands_of(op);
  want = (int)strlen(operands);
  if (is_variadic(operands) ? g->n < want - 2 : g->n != want)
    return wrong_count(is_variadic(operands) ? want - 2 : want);
  for (int i = 0; i < g->n; i++) {
    ph_misfit m = fit_operand(operands, g, i);
    if (m.fit != PH_FITS) return m;
  }
  return fit_result(op, g, type);
}

ph_misfit ph_op_fit(const ph_func *f, ph_op op, const ph_value *args, int n,
                    ph_type *type) {
  given g = {f, args, NULL, n};
  return fit(op, &g, type);
}

ph_misfit ph_op_fittypes(const ph_func *f, ph_op op, const ph_type *args, int n,
                         ph_type *type) {
  given g = {f, NULL, args, n};
  return fit(op, &g, type);
}

static ph_type dialect_wants(const ph_func *f, ph_op op, int i) {
  const ph_attached *a = ph_op_owner(f, op);
  const ph_opspec *s = &a->dialect->ops[op - a->op];
  if (s->args == NULL || i >= s->nargs) return PH_NOTYPE;
  return own_type(a, s->args[i]);
}

ph_type ph_op_wants(const ph_func *f, ph_op op, const ph_type *args, int n,
                    int i) {
  char c;
  if (op == PH_RET) return i == 0 ? f->result : PH_NOTYPE;
  if (op >= PH_OPS) return dialect_wants(f, op, i);
  c = letter(operands_of(op), i);
  if (c == 'b') return PH_I1;
  if (c == '\0' || strchr("tfx", c) == NULL) return PH_NOTYPE;
  for (int j = 0; j < n; j++)
    if (args[j] != PH_NOTYPE && letter(operands_of(op), j) == c) return args[j];
  return PH_NOTYPE;
}

/* }== Places ========================================================= */

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

ph_typing ph_op_typing(const ph_func *f, ph_op op, int i) {
  ph_typing t = typing_of('v');
  const ph_opspec *s;
  if (op < PH_OPS)
    return typing_of(i < 0 ? rows[op].signature[0]
                           : letter(operands_of(op), i));
  s = ph_op_spec(f, op);
  if (i < 0)
    t.fixed = own_type(ph_op_owner(f, op), s->result);
  else if (s->args != NULL && s->nargs != PH_VARIADIC)
    t.fixed = dialect_wants(f, op, i);
  if (t.fixed != PH_NOTYPE) {
    t.mask = t.fixed < PH_TYPES ? (uint16_t)(1 << t.fixed) : 0;
    t.dialects = t.fixed >= PH_TYPES;
  }
  return t;
}

/* The order of the compares in op.def: strict before the other, less before
** greater. */
_Static_assert(PH_SGT == PH_SLT + 2 && PH_SGE == PH_SLE + 2, "signed");
_Static_assert(PH_UGT == PH_ULT + 2 && PH_UGE == PH_ULE + 2, "unsigned");
_Static_assert(PH_FGT == PH_FLT + 2 && PH_FGE == PH_FLE + 2, "floats");

ph_op ph_op_turned(const ph_func *f, ph_op op) {
  switch (op) {
    case PH_SLT:
    case PH_SLE:
    case PH_ULT:
    case PH_ULE:
    case PH_FLT:
    case PH_FLE:
      return (ph_op)(op + 2);
    case PH_SGT:
    case PH_SGE:
    case PH_UGT:
    case PH_UGE:
    case PH_FGT:
    case PH_FGE:
      return (ph_op)(op - 2);
    default:
      if (!(ph_op_flags(f, op) & PH_COMMUTATIVE)) return PH_NONE;
      return op < PH_OPS || ph_op_spec(f, op)->nargs == 2 ? op : PH_NONE;
  }
}

/* }=================================================================== */
