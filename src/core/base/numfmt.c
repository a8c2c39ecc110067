/* numfmt.c: numbers as text.
**
** The C library converts between floats and decimals exactly (it rounds to
** nearest), but uses the decimal point of the locale.  So the point is replaced
** in what it prints, and what it reads contains none: it gets 125e2 for 12.5e3.
**
** The shortest text is found by trying numbers of digits, until the text reads
** back as the same number, which takes at most 17 (9 for a float).  A dedicated
** algorithm (Ryu, Grisu) would be faster and ten times as long.
*/
#include "core/base/numfmt.h"

#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/strbuf.h"

/*
** {== Printing =======================================================
*/

/* Text of a number: 17 digits, the locale's point, an exponent. */
typedef struct {
  char at[64];
} numeral;

static bool reads_back(const numeral *s, double d, bool single) {
  return single ? strtof(s->at, NULL) == (float)d : strtod(s->at, NULL) == d;
}

/* The least number of digits that can read back.  Up to 15 digits (6 of a float)
** no two decimals are one number, unless it is tiny: if that many read back, the
** shortest text has the same ones, without the zeros at the end. */
static int least_digits(double d, bool single) {
  int digits = single ? FLT_DIG : DBL_DIG;
  numeral s;
  const char *end;
  if ((d < 0 ? -d : d) < (single ? (double)FLT_MIN : DBL_MIN)) return 1;
  snprintf(s.at, sizeof s.at, "%.*e", digits - 1, d);
  if (!reads_back(&s, d, single)) return digits + 1;
  for (end = s.at + strcspn(s.at, "e"); end[-1] == '0'; end--) digits--;
  return digits;
}

static bool is_plain(char c) {
  return ph_ascii_isdigit(c) || c == '-' || c == '+' || c == 'e';
}

/* Replaces the locale's point, which may have several bytes and is all that is
** not plain. */
static void put_numeral(ph_strbuf *b, const char *s) {
  bool is_float = false;
  for (; *s != '\0'; s++) {
    if (is_plain(*s))
      ph_strbuf_char(b, *s);
    else if (is_plain(s[-1]))
      ph_strbuf_char(b, '.');
    is_float = is_float || !is_plain(*s) || *s == 'e';
  }
  if (!is_float) ph_strbuf_puts(b, ".0");
}

static void put_nan(ph_strbuf *b, uint64_t bits) {
  if ((bits & ~PH_SIGN_BIT) == PH_NAN_BITS) {
    ph_strbuf_puts(b, bits & PH_SIGN_BIT ? "-nan" : "nan");
    return;
  }
  ph_strbuf_puts(b, "nan(");
  ph_strbuf_hex(b, bits);
  ph_strbuf_char(b, ')');
}

void ph_numfmt_print(ph_strbuf *b, uint64_t bits, bool single) {
  numeral s;
  if (ph_numfmt_isnan(bits)) {
    put_nan(b, bits);
  } else if ((bits & ~PH_SIGN_BIT) == PH_INF_BITS) {
    ph_strbuf_puts(b, bits & PH_SIGN_BIT ? "-inf" : "inf");
  } else {
    double d = ph_numfmt_double(bits);
    int digits = least_digits(d, single);
    do snprintf(s.at, sizeof s.at, "%.*g", digits, d);
    while (digits++ < 17 && !reads_back(&s, d, single));
    put_numeral(b, s.at);
  }
}

/* }== Reading ======================================================== */

/* Lengths of the parts of a numeral, in bytes. */
typedef struct {
  size_t sign, whole, fraction, exponent; /* without '.' and 'e' */
  size_t n;                               /* of the whole numeral */
} parts;

static size_t span_digits(ph_str s, size_t from) {
  size_t i = from;
  while (i < s.n && ph_ascii_isdigit(s.at[i])) i++;
  return i - from;
}

static bool is_at(ph_str s, size_t i, char c) {
  return i < s.n && s.at[i] == c;
}

static parts split_numeral(ph_str s) {
  parts p = {0, 0, 0, 0, 0};
  p.sign = is_at(s, 0, '-');
  p.whole = span_digits(s, p.sign);
  p.n = p.sign + p.whole;
  if (is_at(s, p.n, '.')) {
    p.fraction = span_digits(s, p.n + 1);
    if (p.fraction > 0) p.n += 1 + p.fraction;
  }
  if (is_at(s, p.n, 'e') || is_at(s, p.n, 'E')) {
    size_t sign = is_at(s, p.n + 1, '-') || is_at(s, p.n + 1, '+');
    size_t digits = span_digits(s, p.n + 1 + sign);
    if (digits > 0) p.exponent = sign + digits;
    if (digits > 0) p.n += 1 + p.exponent;
  }
  return p;
}

ph_numeral ph_numfmt_kind(ph_str s) {
  parts p = split_numeral(s);
  if (p.whole == 0 || p.n != s.n) return PH_NO_NUMBER;
  return p.fraction + p.exponent == 0 ? PH_INTEGER : PH_FLOATING;
}

/* Converts the digits from `from` on; false if the number exceeds `most`. */
static bool read_digits(ph_str s, size_t from, uint64_t most, uint64_t *u) {
  *u = 0;
  for (size_t k = from; k < s.n; k++) {
    uint64_t digit = (uint64_t)(s.at[k] - '0');
    if (*u > (most - digit) / 10) return false;
    *u = *u * 10 + digit;
  }
  return true;
}

bool ph_numfmt_int(ph_str s, int64_t *i) {
  size_t sign = is_at(s, 0, '-');
  uint64_t u;
  if (!read_digits(s, sign, (uint64_t)INT64_MAX + sign, &u)) return false;
  *i = (int64_t)(sign ? 0 - u : u);
  return true;
}

bool ph_numfmt_uint(ph_str s, uint64_t *u) {
  return !is_at(s, 0, '-') && read_digits(s, 0, UINT64_MAX, u);
}

/* Returns the value of the exponent, clamped to a range beyond which all floats
** are 0 or infinite anyway. */
static int64_t exponent_of(ph_str s, const parts *p) {
  const int64_t most = (int64_t)1 << 40;
  int64_t e = 0;
  size_t i = s.n - p->exponent;
  bool negative = is_at(s, i, '-');
  for (; i < s.n; i++)
    if (ph_ascii_isdigit(s.at[i]) && e < most) e = e * 10 + (s.at[i] - '0');
  return negative ? -e : e;
}

/* Writes s without its point to `out`, as all its digits times a power of
** ten. */
static void without_point(char *out, ph_str s, const parts *p) {
  size_t head = p->sign + p->whole;
  int64_t e = exponent_of(s, p) - (int64_t)p->fraction;
  ph_digits d;
  ph_str digits = ph_strbuf_decimal(&d, (uint64_t)(e < 0 ? -e : e));
  memcpy(out, s.at, head);
  out += head;
  if (p->fraction > 0) memcpy(out, s.at + head + 1, p->fraction);
  out += p->fraction;
  *out++ = 'e';
  *out++ = e < 0 ? '-' : '+';
  memcpy(out, digits.at, digits.n);
  out[digits.n] = '\0';
}

bool ph_numfmt_float(ph_arena *a, ph_str s, bool single, uint64_t *bits) {
  parts p = split_numeral(s);
  size_t room = s.n + sizeof(ph_digits) + 4;
  char *plain = ph_arena_alloc(a, room);
  double d;
  without_point(plain, s, &p);
  d = single ? (double)strtof(plain, NULL) : strtod(plain, NULL);
  ph_arena_drop(a, plain, room);
  memcpy(bits, &d, sizeof d);
  return d >= -DBL_MAX && d <= DBL_MAX;
}

bool ph_numfmt_hex(ph_str s, uint64_t *bits) {
  if (s.n < 3 || s.n > 18 || s.at[0] != '0' || s.at[1] != 'x') return false;
  *bits = 0;
  for (size_t i = 2; i < s.n; i++) {
    unsigned digit;
    if (!ph_ascii_hexvalue(s.at[i], &digit)) return false;
    *bits = *bits << 4 | digit;
  }
  return true;
}

/* }=================================================================== */
