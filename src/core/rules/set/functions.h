/* functions.h: the functions of rules: log2(C), isphi(x). */
#ifndef PH_RULES_SET_FUNCTIONS_H
#define PH_RULES_SET_FUNCTIONS_H

#include "core/ir/func.h"
#pragma GCC visibility push(hidden)

/* The "ops" of expressions that are not ops of phial. */
enum {
  PH_F_AND = 0x8000, /* of guards; stops when the result is known, like or */
  PH_F_OR,
  PH_F_NOT,
#define PH_FUNCTION(NAME, ...) PH_F_##NAME,
#include "core/rules/set/functions.def"
};

/* What a function takes: constants; a PH_R_TYPE; a PH_R_VAR. */
typedef enum { PH_OF_NUMBERS, PH_OF_TYPE, PH_OF_VALUE } ph_argument;
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
static inline bool ph_function_gives(uint16_t op, ph_function_result result) {
  const ph_function *f = ph_function_row(op);
  return f != NULL && f->result == result;
}

/* Computes a function, not of values, from unsigned integers of that width,
** 1 to 64 bits; a function of a type has no arguments.  False: it has no
** value. */
bool ph_function_compute(uint16_t op, uint32_t width, const uint64_t *args,
                         uint64_t *result);

#pragma GCC visibility pop
#endif
