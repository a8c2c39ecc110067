/* op.c: the tables of ops and types, and those of attached dialects.
**
** The ops of phial are rows of op.def.  A signature of one letter for each
** operand describes them, so that one small interpreter answers every query
** (opcheck.c).  The ops of a dialect are rows of its own table; op numbers from
** PH_OPS on and types from PH_TYPES on are assigned in the order in which
** dialects are attached.
*/
#include "core/ir/op.h"

#include <string.h>

#include "core/base/strbuf.h"
#include "core/ir/contract.h"
#include "core/ir/effect_classes.h"

/* An op that swapped is itself is commutative. */
#define COMMUTES(op, swapped) \
  ((op) == (swapped) && (op) != PH_NONE ? PH_COMMUTATIVE : 0)

const ph_oprow ph_op_rows[] = {
#define PH_OP(NAME, number, name, signature, class, swapped, weight, effect, \
              flags, targets, text)                                          \
  [number] = {name,                                                          \
              signature,                                                     \
              text,                                                          \
              PH_##swapped,                                                  \
              PH_CLASS_##class,                                              \
              PH_EFFECT_##effect,                                            \
              (flags) | COMMUTES(PH_##NAME, PH_##swapped),                   \
              weight,                                                        \
              targets},
#include "phial/op.def"
};

_Static_assert(sizeof ph_op_rows / sizeof *ph_op_rows == PH_KNOWN_OPS,
               "numbers of ops are those below the number of rows");

static const char *const class_names[] = {
#define PH_OPCLASS(NAME, name) name,
#include "phial/op.def"
};

static const char *const effect_names[] = {"write", "read", "new", "none"};

/*
** {== Dialects =======================================================
*/

/* True if `classes` is set, should an op have any. */
static bool tells_classes(const ph_dialect *d) {
  for (uint16_t i = 0; i < d->nops && !d->classes; i++)
    if (d->ops[i].reads != NULL || d->ops[i].writes != NULL) return false;
  return true;
}

static bool is_blank(const ph_dialect *d) {
  bool blank = ph_contract_isblank(d);
  for (uint16_t i = 0; i < d->nops; i++)
    blank = blank && ph_contract_isblank(&d->ops[i]);
  return blank;
}

ph_op ph_op_attachdialect(ph_func *f, const ph_dialect *d) {
  ph_attached a = {ph_ptr(d), PH_OPS, PH_TYPES};
  ph_require(is_blank(d) && "reserved words that are zero");
  ph_require(tells_classes(d) && "`classes` of a dialect whose ops have some");
  for (uint32_t i = 0; i < ph_ptr(f)->dialects.n; i++) {
    a = f->dialects.at[i];
    if (a.dialect == d) return a.op;
    a.op = (ph_op)(a.op + a.dialect->nops);
    a.type = (ph_type)(a.type + a.dialect->ntypes);
  }
  ph_must(a.type + d->ntypes <= UINT8_MAX && "too many types of dialects");
  ph_must(a.op + d->nops <= PH_OPS_END && "too many ops of dialects");
  a.dialect = d;
  if (d->classes) ph_effects_attach(f, d, f->flags.n);
  ph_bytes_reserve(&f->flags, &f->arena, f->flags.n + d->nops);
  ph_dialects_push(&f->dialects, &f->arena, a);
  for (uint16_t i = 0; i < d->nops; i++)
    f->flags.at[f->flags.n++] =
        (uint8_t)(d->ops[i].flags | d->ops[i].effect << PH_EFFECT_SHIFT);
  return a.op;
}

const ph_dialect *ph_op_attached(const ph_func *f, uint32_t i) {
  return i < ph_ptr(f)->dialects.n ? f->dialects.at[i].dialect : NULL;
}

/* Returns the dialect of an op that is not phial's. */
static const ph_attached *find_owner(const ph_func *f, ph_op op) {
  const ph_attached *a = f->dialects.at + f->dialects.n;
  do a--;
  while (op < a->op);
  return a;
}

const ph_attached *ph_op_owner(const ph_func *f, ph_op op) {
  return op < PH_OPS ? NULL : find_owner(f, op);
}

const ph_opspec *ph_op_spec(const ph_func *f, ph_op op) {
  const ph_attached *a = find_owner(f, op);
  return &a->dialect->ops[op - a->op];
}

/* }== Names ========================================================== */

ph_str ph_op_name(const ph_func *f, ph_op op) {
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  return ph_ascii_str(op < PH_OPS ? ph_op_rows[op].name
                                  : ph_op_spec(f, op)->name);
}

ph_str ph_op_dialect(const ph_func *f, ph_op op) {
  const ph_attached *a;
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  a = ph_op_owner(f, op);
  return ph_ascii_str(a == NULL ? "" : a->dialect->name);
}

/* Removes "dialect." from a name and returns that dialect; NULL if the name has
** no such prefix, or no attached dialect is called so. */
static const ph_attached *find_dialect(const ph_func *f, ph_str *name) {
  const char *dot = memchr(name->at, '.', name->n);
  ph_str first;
  if (dot == NULL) return NULL;
  first = (ph_str){name->at, (size_t)(dot - name->at)};
  for (uint32_t i = 0; i < f->dialects.n; i++)
    if (ph_ascii_equal(first, f->dialects.at[i].dialect->name)) {
      name->n -= first.n + 1;
      name->at = dot + 1;
      return &f->dialects.at[i];
    }
  return NULL;
}

static int compare_names(ph_str a, ph_str b) {
  int sign = memcmp(a.at, b.at, a.n < b.n ? a.n : b.n);
  return sign != 0 ? sign : (a.n > b.n) - (a.n < b.n);
}

/* Returns the index of an op, or nops.  The ops of a dialect may be sorted by
** name: searches as if they were, and only then one by one. */
static uint32_t find_op(const ph_dialect *d, ph_str name) {
  uint32_t first = 0, end = d->nops, i = 0;
  while (first < end) {
    uint32_t middle = (first + end) / 2;
    int sign = compare_names(name, ph_ascii_str(d->ops[middle].name));
    if (sign == 0) return middle;
    if (sign < 0)
      end = middle;
    else
      first = middle + 1;
  }
  while (i < d->nops && !ph_ascii_equal(name, d->ops[i].name)) i++;
  return i;
}

bool ph_op_find(const ph_func *f, ph_str name, ph_op *op) {
  const ph_attached *a = find_dialect(ph_ptr(f), &name);
  if (a == NULL) {
    for (*ph_ptr(op) = PH_CONST; *op < PH_KNOWN_OPS; ++*op)
      if (ph_ascii_equal(name, ph_op_rows[*op].name)) return true;
    return false;
  }
  *op = (ph_op)(a->op + find_op(a->dialect, name));
  return *op < a->op + a->dialect->nops;
}

/* }== Names elsewhere ================================================ */

static const struct {
  const char *name;
  ph_op here[2];
} aliases[] = {
    {"and", {PH_BAND}},
    {"or", {PH_BOR}},
    {"xor", {PH_BXOR}},
    {"not", {PH_BNOT}},
    {"inv", {PH_BNOT}},
    {"minus", {PH_SUB, PH_NEG}},
    {"times", {PH_MUL}},
    {"div", {PH_SDIV, PH_UDIV}},
    {"idiv", {PH_SDIV, PH_UDIV}},
    {"quot", {PH_SDIV, PH_UDIV}},
    {"rem", {PH_SREM, PH_UREM}},
    {"mod", {PH_SREM, PH_UREM}},
    {"ashr", {PH_SAR}},
    {"asr", {PH_SAR}},
    {"sra", {PH_SAR}},
    {"lshr", {PH_SHR}},
    {"lsr", {PH_SHR}},
    {"srl", {PH_SHR}},
    {"ushr", {PH_SHR}},
    {"lsl", {PH_SHL}},
    {"sll", {PH_SHL}},
    {"rol", {PH_ROTL}},
    {"ror", {PH_ROTR}},
    {"equal", {PH_EQ}},
    {"neq", {PH_NE}},
    {"noteq", {PH_NE}},
    {"lt", {PH_SLT, PH_ULT}},
    {"le", {PH_SLE, PH_ULE}},
    {"gt", {PH_SGT, PH_UGT}},
    {"ge", {PH_SGE, PH_UGE}},
    {"ite", {PH_SELECT}},
    {"cond", {PH_SELECT}},
    {"extend", {PH_SEXT, PH_ZEXT}},
    {"truncate", {PH_TRUNC}},
    {"sitofp", {PH_ITOF}},
    {"uitofp", {PH_UTOF}},
    {"fptosi", {PH_FTOI}},
    {"fptoui", {PH_FTOU}},
    {"fpext", {PH_FPROMOTE}},
    {"fptrunc", {PH_FDEMOTE}},
    {"ctlz", {PH_CLZ}},
    {"cttz", {PH_CTZ}},
    {"ctpop", {PH_POPCNT}},
    {"popcount", {PH_POPCNT}},
    {"mulhu", {PH_UMULH}},
    {"mulhs", {PH_SMULH}},
    {"sqrt", {PH_FSQRT}},
    {"floor", {PH_FFLOOR}},
    {"ceil", {PH_FCEIL}},
    {"rint", {PH_FNEAREST}},
    {"fmin", {PH_FMINIMUM, PH_FMINNUM}},
    {"fmax", {PH_FMAXIMUM, PH_FMAXNUM}},
    {"br", {PH_BRANCH, PH_JUMP}},
    {"goto", {PH_JUMP}},
    {"return", {PH_RET}},
    {"trapnz", {PH_TRAP_IF}},
    {"abort", {PH_TRAP}},
};

bool ph_op_alias(ph_str name, ph_op here[2]) {
  ph_require(here != NULL && "here is not NULL");
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++)
    if (ph_ascii_equal(name, aliases[i].name)) {
      here[0] = aliases[i].here[0];
      here[1] = aliases[i].here[1];
      return true;
    }
  return false;
}

/* }== Properties ===================================================== */

uint8_t ph_op_flags(const ph_func *f, ph_op op) {
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  return ph_op_flagsof(f, op);
}

ph_effect ph_op_effect(const ph_func *f, ph_op op) {
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  return ph_op_effectof(f, op);
}

const char *ph_effect_name(ph_effect effect) { return effect_names[effect]; }

bool ph_op_ispure(const ph_func *f, ph_op op) {
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  return ph_op_effectof(f, op) == PH_EFFECT_NONE &&
         !ph_op_has(f, op, PH_TRAPS | PH_TERMINATOR);
}

bool ph_op_namesvar(ph_op op) {
  return op == PH_COPY || op == PH_REFINE || op == PH_MAY;
}

char ph_op_result(ph_op op) { return ph_op_rows[op].signature[0]; }

const char *ph_op_operands(ph_op op) { return ph_op_rows[op].signature + 2; }

int ph_op_nargs(const ph_func *f, ph_op op) {
  const char *operands;
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  if (op >= PH_OPS) return ph_op_spec(f, op)->nargs;
  operands = ph_op_operands(op);
  return strchr(operands, '*') != NULL ? PH_VARIADIC : (int)strlen(operands);
}

int ph_op_ntargets(const ph_func *f, ph_op op) {
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  return op < PH_OPS ? ph_op_rows[op].targets : ph_op_spec(f, op)->ntargets;
}

int ph_op_nresults(const ph_func *f, ph_op op) {
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  if (op == PH_CALL || op == PH_CALL_INDIRECT) return PH_RESULTS_SAID;
  if (op < PH_OPS) return ph_op_result(op) != '-';
  if (ph_op_spec(f, op)->result == PH_NOTYPE) return 0;
  return ph_op_spec(f, op)->nresults > 1 ? ph_op_spec(f, op)->nresults : 1;
}

ph_type ph_op_resulttype(const ph_func *f, ph_op op, ph_type first, int i) {
  const ph_attached *owner;
  const ph_opspec *s;
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  ph_require(ph_contract_hastype(f, first) && "a type of this function");
  ph_require((i == 0 || (0 < i && i < ph_op_nresults(f, op))) &&
             "from 0 to ph_op_nresults - 1");
  if (i == 0) return first;
  if (op < PH_OPS) return PH_NOTYPE; /* a call */
  owner = ph_op_owner(f, op);
  assert(owner != NULL && "an op of a dialect");
  s = ph_op_spec(f, op);
  if (s->results != NULL) return ph_type_own(owner, s->results[i]);
  return s->result == PH_SAIDTYPE && s->nresults == PH_RESULTS_SAID ? PH_NOTYPE
                                                                    : first;
}

bool ph_op_needstype(const ph_func *f, ph_op op) {
  ph_require(ph_contract_hasop(f, op) && "an op of this function");
  if (op >= PH_OPS) return ph_op_spec(f, op)->result == PH_SAIDTYPE;
  return strchr("IGMXV", ph_op_result(op)) != NULL;
}

const ph_oprow *ph_op_row(ph_op op) {
  ph_require(op < PH_KNOWN_OPS && "an op of phial");
  return &ph_op_rows[op];
}

ph_opclass ph_op_class(ph_op op) { return ph_op_classof(op); }

const char *ph_op_classname(ph_opclass c) { return class_names[c]; }

ph_op ph_op_swappedown(const ph_func *f, ph_op op) {
  if (!ph_op_has(f, op, PH_COMMUTATIVE)) return PH_NONE;
  return ph_op_spec(f, op)->nargs == 2 ? op : PH_NONE;
}

/* }== Types ========================================================== */

static const struct {
  const char *name;
  int bits;
} types[] = {{"none", 0}, {"i1", 1},   {"i8", 8},   {"i16", 16}, {"i32", 32},
             {"i64", 64}, {"f32", 32}, {"f64", 64}, {"any", 0},  {"ptr", 64}};

const ph_attached *ph_type_owner(const ph_func *f, ph_type type) {
  if (type < PH_TYPES) return NULL;
  const ph_attached *a = f->dialects.at + f->dialects.n;
  do a--;
  while (type < a->type);
  return a;
}

ph_type ph_type_ofdialect(const ph_func *f, const ph_dialect *d, ph_type t) {
  (void)ph_ptr(d);
  for (uint32_t i = 0; i < ph_ptr(f)->dialects.n; i++)
    if (f->dialects.at[i].dialect == ph_ptr(d))
      return ph_type_own(&f->dialects.at[i], t);
  return PH_NOTYPE;
}

ph_op ph_op_owned(const ph_func *f, const ph_func *from, ph_op op) {
  const ph_attached *a = find_owner(from, op);
  for (uint32_t i = 0; i < f->dialects.n; i++)
    if (f->dialects.at[i].dialect == a->dialect)
      return (ph_op)(f->dialects.at[i].op + (op - a->op));
  return PH_NONE;
}

ph_type ph_type_owned(const ph_func *f, const ph_func *from, ph_type type) {
  const ph_attached *a = ph_type_owner(from, type);
  if (a == NULL) return type;
  return ph_type_ofdialect(f, a->dialect, (ph_type)(type - a->type + PH_TYPES));
}

ph_str ph_type_name(const ph_func *f, ph_type type) {
  const ph_attached *a;
  ph_require((type < PH_TYPES || ph_contract_hastype(f, type)) &&
             "a type of this function");
  a = ph_type_owner(f, type);
  return ph_ascii_str(a == NULL ? types[type].name
                                : a->dialect->types[type - a->type]);
}

ph_str ph_type_dialect(const ph_func *f, ph_type type) {
  const ph_attached *a;
  ph_require((type < PH_TYPES || ph_contract_hastype(f, type)) &&
             "a type of this function");
  a = ph_type_owner(f, type);
  return ph_ascii_str(a == NULL ? "" : a->dialect->name);
}

bool ph_type_find(const ph_func *f, ph_str name, ph_type *type) {
  const ph_attached *a = find_dialect(ph_ptr(f), &name);
  if (a == NULL) {
    for (*ph_ptr(type) = PH_I1; *type < PH_KNOWN_TYPES; ++*type)
      if (ph_ascii_equal(name, types[*type].name)) return true;
    return false;
  }
  for (uint16_t i = 0; i < a->dialect->ntypes; i++)
    if (ph_ascii_equal(name, a->dialect->types[i])) {
      *type = (ph_type)(a->type + i);
      return true;
    }
  return false;
}

int ph_type_width(ph_type type) {
  return type < PH_KNOWN_TYPES ? types[type].bits : 0;
}

bool ph_type_isint(ph_type type) { return type >= PH_I1 && type <= PH_I64; }

bool ph_type_isfloat(ph_type type) { return type == PH_F32 || type == PH_F64; }

bool ph_type_isstored(ph_type type) {
  return ph_type_isint(type) || ph_type_isfloat(type) || type == PH_PTR;
}

/* }=================================================================== */
