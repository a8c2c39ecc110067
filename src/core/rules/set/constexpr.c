/* constexpr.c: computes functions, constant expressions and guards.
**
** An expression that stands for an operand is computed as instructions would be
** (opeval.c), each step at its type.  Guards compute with plain integers of 64
** bits, sign-extended from the constants, except for steps whose result depends
** on a width: those have a type.  Unsigned comparisons read the bits of a
** constant at its own width.
**
** Some expressions have no value: a division by zero, a shift by the width or
** more (whose meaning differs between languages), the logarithm of zero.  A
** rule that needs such a value does not apply, so it needs no guard against it.
*/
#include "core/rules/set/constexpr.h"

#include "core/base/strbuf.h"
#include "core/ir/op.h"
#include "core/ir/opeval.h"

/*
** {== Functions ======================================================
*/

/* Functions of values are answered where values are known (match/matcher.c); the
** checker tries all answers. */

static const ph_function functions[] = {
#define PH_FUNCTION(NAME, name, argument, count, result, text) \
  {#name, PH_OF_##argument, count, PH_GIVES_##result},
#include "core/rules/set/functions.def"
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };
_Static_assert(PH_F_NOT + FUNCTIONS <= UINT16_MAX, "they are ops of nodes");

const ph_function *ph_function_row(uint16_t op) {
  uint32_t i = ph_function_index(op);
  return i < FUNCTIONS ? &functions[i] : NULL;
}

uint16_t ph_function_find(ph_str name) {
  for (uint16_t i = 0; i < FUNCTIONS; i++)
    if (ph_ascii_equal(name, functions[i].name))
      return (uint16_t)(PH_F_NOT + 1 + i);
  return 0;
}

/* }== Functions of numbers =========================================== */

/* Each takes unsigned arguments of so many bits; false: no value. */

static bool compute_width(uint32_t bits, const uint64_t *args, uint64_t *r) {
  (void)args;
  *r = bits;
  return true;
}

static bool compute_log2(uint32_t bits, const uint64_t *args, uint64_t *r) {
  (void)bits;
  *r = 0;
  for (uint64_t u = args[0]; u > 1; u >>= 1) ++*r;
  return args[0] != 0;
}

static bool compute_pow2(uint32_t bits, const uint64_t *args, uint64_t *r) {
  (void)bits;
  *r = args[0] != 0 && (args[0] & (args[0] - 1)) == 0;
  return true;
}

static bool compute_ismask(uint32_t bits, const uint64_t *args, uint64_t *r) {
  (void)bits;
  *r = args[0] != 0 && (args[0] & (args[0] + 1)) == 0;
  return true;
}

/* Some are ops of their arguments, too; their results fit the width. */

static bool fold(ph_op op, uint32_t bits, const uint64_t *args, uint64_t *r) {
  const ph_number number = {(uint8_t)bits, false};
  const ph_exprtype type = {(uint8_t)bits, false, PH_NOTYPE};
  ph_folding done = ph_opeval_bits(op, number, number, args, r);
  *r = ph_exprtype_unsigned(type, (int64_t)*r);
  return done == PH_OPEVAL_DONE;
}

#define FOLDS(NAME, name)                                         \
  static bool compute_##name(uint32_t bits, const uint64_t *args, \
                             uint64_t *r) {                       \
    return fold(PH_##NAME, bits, args, r);                        \
  }
FOLDS(CTZ, ctz)
FOLDS(CLZ, clz)
FOLDS(POPCNT, popcnt)
FOLDS(UMULH, umulh)
FOLDS(SMULH, smulh)

typedef bool computing(uint32_t bits, const uint64_t *args, uint64_t *r);

static computing *const computes[] = {
#define COMPUTES_NUMBERS(name) compute_##name
#define COMPUTES_TYPE(name) compute_##name
#define COMPUTES_VALUE(name) NULL
#define COMPUTES_INTEGER(name) NULL
#define PH_FUNCTION(NAME, name, argument, count, result, text) \
  COMPUTES_##argument(name),
#include "core/rules/set/functions.def"
};

/* Computes a function, not of values, from unsigned integers of that width,
** 1 to 64 bits; a function of a type has no arguments.  False: it has no
** value. */
static bool compute_function(uint16_t op, uint32_t width, const uint64_t *args,
                             uint64_t *result) {
  computing *compute = computes[ph_function_index(op)];
  return compute != NULL && compute(width, args, result);
}

/* }== Steps ========================================================== */

/* Arguments are read as unsigned, at the width of their type. */
static bool apply_function(uint16_t op, ph_exprtype type, const int64_t *args,
                           const ph_exprtype *types, uint32_t n,
                           int64_t *value) {
  ph_exprtype t = ph_function_gives(op, PH_GIVES_SIZED) ? type : types[0];
  uint64_t bits[3], r;
  for (uint32_t i = 0; i < n; i++) bits[i] = ph_exprtype_unsigned(t, args[i]);
  if (!compute_function(op, ph_exprtype_bits(t), bits, &r)) return false;
  *value = ph_exprtype_normal(type, r);
  return true;
}

static bool is_shift_too_far(uint16_t op, const int64_t *args,
                             const ph_exprtype *types, uint32_t bits) {
  return ph_op_isshift(op) && ph_exprtype_unsigned(types[1], args[1]) >= bits;
}

static bool apply_plain(uint16_t op, const int64_t *args,
                        const ph_exprtype *types, int64_t *value) {
  const ph_number from = {64, false},
                  to = {ph_op_iscompare(op) ? 1 : 64, false};
  uint64_t bits[3] = {(uint64_t)args[0], (uint64_t)args[1], (uint64_t)args[2]};
  if (is_shift_too_far(op, args, types, 64)) return false;
  if (ph_op_classof(op) == PH_CLASS_UCOMPARE)
    for (uint32_t i = 0; i < 2; i++)
      bits[i] = ph_exprtype_unsigned(types[i], args[i]);
  return ph_opeval_bits(op, from, to, bits, (uint64_t *)value) ==
         PH_OPEVAL_DONE;
}

/* Returns the type of the operands: of a select, of the last two. */
static ph_number operand_type(uint16_t op, ph_exprtype type,
                              const ph_exprtype *types, uint32_t n) {
  ph_exprtype t = type;
  for (uint32_t i = n; i-- > (op == PH_SELECT);)
    if (types[i].bits != 0) t = types[i];
  return (ph_number){t.bits, t.isfloat};
}

static bool apply_typed(uint16_t op, ph_exprtype type, const int64_t *args,
                        const ph_exprtype *types, uint32_t n, int64_t *value) {
  const ph_number from = operand_type(op, type, types, n);
  const ph_number to = {type.bits, type.isfloat};
  const uint64_t bits[3] = {(uint64_t)args[0], (uint64_t)args[1],
                            (uint64_t)args[2]};
  uint64_t r;
  if (is_shift_too_far(op, args, types, type.bits)) return false;
  if (ph_opeval_bits(op, from, to, bits, &r) != PH_OPEVAL_DONE) return false;
  *value = ph_exprtype_normal(type, r);
  return true;
}

/* }== Trees ========================================================== */

static bool eval_logical(const ph_bindings *b, const ph_rulenode *n,
                         int64_t *value) {
  const ph_rulenode *first = &b->rule->nodes[n->first];
  if (!ph_constexpr_eval(b, n->first, value)) return false;
  if (n->op == PH_F_NOT)
    *value = *value == 0;
  else if ((*value != 0) == (n->op == PH_F_AND))
    return ph_constexpr_eval(b, first->next, value);
  return true;
}

/* Computes one step: an op of phial, or a function not of values. */
static bool eval_step(const ph_bindings *b, const ph_rulenode *n,
                      int64_t *value) {
  int64_t args[3] = {0, 0, 0};
  ph_exprtype types[3] = {{0}}, type = b->types[n->type];
  bool of_type = n->op > PH_F_NOT && ph_function_isof(n->op, PH_OF_TYPE);
  uint32_t i = 0;
  for (uint32_t kid = n->first; kid != 0; kid = b->rule->nodes[kid].next) {
    types[i] = b->types[b->rule->nodes[kid].type];
    if (!of_type && !ph_constexpr_eval(b, kid, &args[i])) return false;
    i++;
  }
  if (n->op > PH_F_NOT)
    return apply_function(n->op, type, args, types, i, value);
  if (type.bits == 0) return apply_plain(n->op, args, types, value);
  return apply_typed(n->op, type, args, types, i, value);
}

static bool eval_expr(const ph_bindings *b, uint32_t node, int64_t *value) {
  const ph_rulenode *n = &b->rule->nodes[node];
  if (n->op < PH_F_AND) return eval_step(b, n, value);
  if (n->op <= PH_F_NOT) return eval_logical(b, n, value);
  if (ph_function_asks(n->op)) return b->ask(b, node, value);
  return eval_step(b, n, value);
}

static int64_t least(ph_exprtype t) {
  return (int64_t)(~(uint64_t)0 << (ph_exprtype_bits(t) - 1));
}

bool ph_constexpr_eval(const ph_bindings *b, uint32_t node, int64_t *value) {
  const ph_rulenode *n = &b->rule->nodes[node];
  ph_exprtype type = b->types[n->type];
  switch (n->kind) {
    case PH_R_CONST:
      *value = b->consts[n->var];
      return true;
    case PH_R_LIT:
      *value = ph_exprtype_normal(type, n->bits);
      return true;
    case PH_R_MIN:
      *value = least(type);
      return true;
    case PH_R_MAX:
      *value = ~least(type);
      return true;
    case PH_R_EXPR:
      return eval_expr(b, node, value);
    default:
      return b->ask(b, node, value);
  }
}

/* }=================================================================== */
