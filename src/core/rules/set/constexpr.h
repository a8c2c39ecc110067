/* constexpr.h: functions of rules, as log2(C) and isphi(x); evaluates constant
** expressions of rules and guards. */
#ifndef PH_RULES_SET_CONSTEXPR_H
#define PH_RULES_SET_CONSTEXPR_H

#include "core/ir/func.h"
#include "core/rules/set/ruleset.h"
#pragma GCC visibility push(hidden)

/*
** {== Functions ======================================================
*/

/* The "ops" of expressions that are not ops of phial. */
enum {
  PH_F_AND = PH_OPS_END, /* of guards; stops at a known result, like or */
  PH_F_OR,
  PH_F_NOT,
#define PH_FUNCTION(NAME, ...) PH_F_##NAME,
#include "core/rules/set/functions.def"
};

/* What a function takes: constants; a PH_R_TYPE; a PH_R_VAR; one of an integer,
** about which it tells a fact. */
typedef enum {
  PH_OF_NUMBERS,
  PH_OF_TYPE,
  PH_OF_VALUE,
  PH_OF_INTEGER
} ph_argument;
typedef enum {
  PH_GIVES_NUMBER,
  PH_GIVES_SIZED,
  PH_GIVES_TRUTH
} ph_function_result;

/* A row of functions.def. */
typedef struct {
  const char *name;
  uint8_t argument; /* ph_argument */
  uint8_t count;
  uint8_t result; /* ph_function_result */
} ph_function;

/* Returns the row number of a PH_F_...; larger than any if it is not a
** function. */
static inline uint32_t ph_function_index(uint16_t op) {
  return (uint32_t)op - (PH_F_NOT + 1);
}
/* Returns NULL if it is not a function. */
const ph_function *ph_function_row(uint16_t op);
/* Returns the function of that name, or 0. */
uint16_t ph_function_find(ph_str name);

static inline bool ph_function_isof(uint16_t op, ph_argument argument) {
  const ph_function *f = ph_function_row(op);
  return f != NULL && f->argument == argument;
}
/* True if it asks about a value. */
static inline bool ph_function_asks(uint16_t op) {
  return ph_function_isof(op, PH_OF_VALUE) ||
         ph_function_isof(op, PH_OF_INTEGER);
}
static inline bool ph_function_gives(uint16_t op, ph_function_result result) {
  const ph_function *f = ph_function_row(op);
  return f != NULL && f->result == result;
}

/* }== Expressions ==================================================== */

/* The type of a constant: an integer or float of so many bits; 0 bits: a plain
** integer of 64.  Widths need not be those of phial's types: rules are also
** checked at width 3, and at types whose values only the host knows. */
typedef struct {
  uint8_t bits;
  bool isfloat;
  ph_type own; /* of a dialect, or PH_ANY: the number is the host's, of 64 bits;
                  else PH_NOTYPE */
} ph_exprtype;

static inline ph_exprtype ph_exprtype_of(ph_type type) {
  return (ph_exprtype){(uint8_t)ph_type_width(type), ph_type_isfloat(type),
                       PH_NOTYPE};
}
static inline uint32_t ph_exprtype_bits(ph_exprtype t) {
  return t.bits == 0 ? 64 : t.bits;
}
/* Returns the bits of an integer at its width. */
static inline uint64_t ph_exprtype_unsigned(ph_exprtype t, int64_t i) {
  return (uint64_t)i & (~(uint64_t)0 >> (64 - ph_exprtype_bits(t)));
}
/* Returns integers sign-extended from their width, floats unchanged. */
static inline int64_t ph_exprtype_normal(ph_exprtype t, uint64_t bits) {
  uint64_t sign = (uint64_t)1 << (ph_exprtype_bits(t) - 1);
  if (t.isfloat || t.bits == 0) return (int64_t)bits;
  return (int64_t)((ph_exprtype_unsigned(t, (int64_t)bits) ^ sign) - sign);
}

/* What the variables of a rule are bound to; types[0] is that of plain
** integers, of 0 bits. */
typedef struct ph_bindings ph_bindings;
struct ph_bindings {
  const ph_rule *rule;
  const int64_t *consts;    /* by variable: integers sign-extended from their
                               width, floats as the bits of a double */
  const ph_exprtype *types; /* by type of the rule */
  /* Answers what only the caller knows: functions of values, PH_R_CALL.  False:
  ** no answer, the rule does not apply. */
  bool (*ask)(const ph_bindings *b, uint32_t node, int64_t *answer);
  void *ud;
};

/* Computes an expression at the type of its node: sign-extended, or the bits of
** a double; truth is 1 or 0.  False: it has no value (a division by zero, a
** shift by the width or more), the rule does not apply. */
bool ph_constexpr_eval(const ph_bindings *b, uint32_t node, int64_t *value);

/* }=================================================================== */

#pragma GCC visibility pop
#endif
