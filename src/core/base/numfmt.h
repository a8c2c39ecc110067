/* numfmt.h: numbers as text, exact and independent of the locale. */
#ifndef PH_BASE_NUMFMT_H
#define PH_BASE_NUMFMT_H

#include <string.h>

#include "core/base/arena.h"
#include "core/base/strbuf.h"
#pragma GCC visibility push(hidden)

/* Appends the shortest text that reads back as the double with these bits or,
** if `single`, as the float that this double is. */
void ph_numfmt_print(ph_strbuf *b, uint64_t bits, bool single);

typedef enum { PH_NO_NUMBER, PH_INTEGER, PH_FLOATING } ph_numeral;
/* Classifies s: PH_INTEGER is [-]digits, PH_FLOATING
** [-]digits[.digits][e[+-]digits]. */
ph_numeral ph_numfmt_kind(ph_str s);

/* Converts a PH_INTEGER; false if it needs more than 64 bits. */
bool ph_numfmt_int(ph_str s, int64_t *i);
/* The same without a sign; false for one that has a sign, too. */
bool ph_numfmt_uint(ph_str s, uint64_t *u);
/* Converts a numeral to the nearest double (float); false if it is too large.
** Uses `a` for temporary memory. */
bool ph_numfmt_float(ph_arena *a, ph_str s, bool single, uint64_t *bits);
/* Converts 0x and up to 16 hexadecimal digits; false if s is anything else. */
bool ph_numfmt_hex(ph_str s, uint64_t *bits);

/* Bits of the canonical nan, of infinity, and of their sign. */
#define PH_NAN_BITS UINT64_C(0x7ff8000000000000)
#define PH_INF_BITS UINT64_C(0x7ff0000000000000)
#define PH_SIGN_BIT UINT64_C(0x8000000000000000)

static inline double ph_numfmt_double(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

static inline bool ph_numfmt_isnan(uint64_t bits) {
  return (bits & ~PH_SIGN_BIT) > PH_INF_BITS;
}

#pragma GCC visibility pop
#endif
