/* numfmt.h: numbers as text, exact and whatever the locale says. */
#ifndef PH_BASE_NUMFMT_H
#define PH_BASE_NUMFMT_H

#include "core/base/strbuf.h"
#include "core/base/arena.h"

/* The shortest text that reads back as the double of these bits, or, with
** `single`, as that double's float. */
void ph_numfmt_print(ph_strbuf *b, uint64_t bits, bool single);

typedef enum { PH_NO_NUMBER, PH_INTEGER, PH_FLOATING } ph_numeral;
/* What s is: [-]digits, or [-]digits[.digits][e[+-]digits]. */
ph_numeral ph_numfmt_kind(ph_str s);

/* The value of a PH_INTEGER; false: it takes more than 64 bits. */
bool ph_numfmt_int(ph_str s, int64_t *i);
/* The double (float) nearest to a numeral; false: it is too large.  `a` lends
** memory. */
bool ph_numfmt_float(ph_arena *a, ph_str s, bool single, uint64_t *bits);
/* 0x and up to 16 hexadecimal digits. */
bool ph_numfmt_hex(ph_str s, uint64_t *bits);

/* The bits of the usual nan, of infinity, and of their sign. */
#define PH_NAN_BITS UINT64_C(0x7ff8000000000000)
#define PH_INF_BITS UINT64_C(0x7ff0000000000000)
#define PH_SIGN_BIT UINT64_C(0x8000000000000000)

static inline bool ph_numfmt_isnan(uint64_t bits) {
  return (bits & ~PH_SIGN_BIT) > PH_INF_BITS;
}

#endif
