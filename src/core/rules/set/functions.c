/* functions.c: the functions of rules; computes those of numbers.
**
** Functions of values are answered where values are known (match/test.c); the
** checker tries all answers.
*/
#include "core/rules/set/functions.h"

#include <string.h>

static const ph_function functions[] = {
#define PH_FUNCTION(NAME, name, argument, count, result, text) \
  {#name, PH_OF_##argument, count, PH_GIVES_##result},
#include "core/rules/set/functions.def"
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

const ph_function *ph_function_row(uint16_t op) {
  uint32_t i = ph_function_index(op);
  return i < FUNCTIONS ? &functions[i] : NULL;
}

uint16_t ph_function_find(ph_str name) {
  for (uint16_t i = 0; i < FUNCTIONS; i++)
    if (strlen(functions[i].name) == name.n &&
        memcmp(functions[i].name, name.at, name.n) == 0)
      return (uint16_t)(PH_F_NOT + 1 + i);
  return 0;
}

/*
** {== Bits ===========================================================
*/

static uint64_t count_ones(uint64_t u) {
  uint64_t n = 0;
  for (; u != 0; u &= u - 1) n++;
  return n;
}

/* Returns the position of the highest one bit, from 1; 0: there is none. */
static uint64_t top(uint64_t u) {
  uint64_t n = 0;
  for (; u != 0; u >>= 1) n++;
  return n;
}

static uint64_t extend_sign(uint32_t width, uint64_t u) {
  uint64_t sign = (uint64_t)1 << (width - 1);
  return (u ^ sign) - sign;
}

/* Returns the high half of a product of 64 bits each. */
static uint64_t product_high(uint64_t a, uint64_t b) {
  const uint64_t half = UINT32_MAX;
  uint64_t low = (a & half) * (b & half);
  uint64_t m = (a >> 32) * (b & half) + (low >> 32);
  uint64_t n = (a & half) * (b >> 32) + (m & half);
  return (a >> 32) * (b >> 32) + (m >> 32) + (n >> 32);
}

/* Returns the bits above the lower `width` ones of a product with this high
** half. */
static uint64_t above(uint32_t width, uint64_t high, uint64_t a, uint64_t b) {
  return width == 64 ? high : high << (64 - width) | a * b >> width;
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
  *r = top(args[0]) - 1;
  return args[0] != 0;
}

static bool compute_pow2(uint32_t bits, const uint64_t *args, uint64_t *r) {
  (void)bits;
  *r = count_ones(args[0]) == 1;
  return true;
}

static bool compute_ismask(uint32_t bits, const uint64_t *args, uint64_t *r) {
  (void)bits;
  *r = args[0] != 0 && (args[0] & (args[0] + 1)) == 0;
  return true;
}

static bool compute_ctz(uint32_t bits, const uint64_t *args, uint64_t *r) {
  uint64_t u = args[0];
  *r = u == 0 ? bits : count_ones((u & (0 - u)) - 1);
  return true;
}

static bool compute_clz(uint32_t bits, const uint64_t *args, uint64_t *r) {
  *r = bits - top(args[0]);
  return true;
}

static bool compute_popcnt(uint32_t bits, const uint64_t *args, uint64_t *r) {
  (void)bits;
  *r = count_ones(args[0]);
  return true;
}

static bool compute_umulh(uint32_t bits, const uint64_t *args, uint64_t *r) {
  uint64_t a = args[0], b = args[1];
  *r = above(bits, product_high(a, b), a, b);
  return true;
}

static bool compute_smulh(uint32_t bits, const uint64_t *args, uint64_t *r) {
  uint64_t a = extend_sign(bits, args[0]), b = extend_sign(bits, args[1]);
  uint64_t high = product_high(a, b);
  if (a >> 63) high -= b;
  if (b >> 63) high -= a;
  *r = above(bits, high, a, b);
  return true;
}

typedef bool computing(uint32_t bits, const uint64_t *args, uint64_t *r);

static computing *const computes[] = {
#define COMPUTES_NUMBERS(name) compute_##name
#define COMPUTES_TYPE(name) compute_##name
#define COMPUTES_VALUE(name) NULL
#define PH_FUNCTION(NAME, name, argument, count, result, text) \
  COMPUTES_##argument(name),
#include "core/rules/set/functions.def"
};

bool ph_function_compute(uint16_t op, uint32_t width, const uint64_t *args,
                         uint64_t *result) {
  computing *compute = computes[ph_function_index(op)];
  return compute != NULL && compute(width, args, result);
}

/* }=================================================================== */
