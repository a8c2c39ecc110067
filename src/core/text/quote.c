/* quote.c: strings inside texts of other languages.
**
** A string is appended as it is, and escaped in place where it must be, which is
** rare.  Bytes of what is not UTF-8 are shown as \xff.
*/
#include "core/text/quote.h"

#include <string.h>

/* Appends a byte of a string. */
typedef void escape(ph_strbuf *b, unsigned char c);

/* "<", too: the text can be put into HTML as it is. */
static void escape_json(ph_strbuf *b, unsigned char c) {
  static const char escaped[] = "\"\\\n\r\t", letters[] = "\"\\nrt";
  const char *at = memchr(escaped, c, sizeof escaped - 1);
  if (at != NULL || c == '<' || ph_ascii_iscontrol((char)c))
    ph_strbuf_char(b, '\\');
  if (at != NULL) {
    ph_strbuf_char(b, letters[at - escaped]);
  } else if (c == '<' || ph_ascii_iscontrol((char)c)) {
    ph_strbuf_puts(b, "u00");
    ph_strbuf_hexbyte(b, c);
  } else {
    ph_strbuf_char(b, (char)c);
  }
}

static void escape_html(ph_strbuf *b, unsigned char c) {
  static const char escaped[] = "&<>\"\\";
  static const char *const names[] = {"&amp;", "&lt;", "&gt;", "&quot;",
                                      "&#92;"};
  const char *at = memchr(escaped, c, sizeof escaped - 1);
  if (at != NULL) {
    ph_strbuf_puts(b, names[at - escaped]);
  } else if (ph_ascii_iscontrol((char)c)) {
    ph_strbuf_puts(b, "&#92;x");
    ph_strbuf_hexbyte(b, c);
  } else {
    ph_strbuf_char(b, (char)c);
  }
}

/* Returns the length of the UTF-8 character at `at`; 0: it is none. */
static size_t character(ph_str s, size_t at) {
  const unsigned char *c = (const unsigned char *)s.at + at;
  size_t n = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
  uint32_t code = n == 1 ? c[0] : c[0] & (0x7f >> n);
  static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
  if ((c[0] >= 0x80 && c[0] < 0xc2) || c[0] > 0xf4 || s.n - at < n) return 0;
  for (size_t i = 1; i < n; i++) {
    if ((c[i] & 0xc0) != 0x80) return 0;
    code = code << 6 | (c[i] & 0x3f);
  }
  return code < least[n - 1] || code > 0x10ffff || code >> 11 == 0x1b ? 0 : n;
}

static bool is_utf8(ph_str s) {
  for (size_t at = 0, n; at < s.n; at += n)
    if ((n = character(s, at)) == 0) return false;
  return true;
}

/* True for the characters U+2028 and U+2029, which end lines of JavaScript. */
static bool ends_line(ph_str s, size_t at) {
  return s.n - at >= 3 && memcmp(s.at + at, "\xe2\x80", 2) == 0 &&
         ((unsigned char)s.at[at + 2] & 0xfe) == 0xa8;
}

static ph_str part_of(const ph_strbuf *b, size_t from, size_t to) {
  return (ph_str){b->at + from, to - from};
}

/* Appends bytes `from` to `to` of b, escaped. */
static void put_escaped(ph_strbuf *b, size_t from, size_t to, escape *put) {
  bool good = is_utf8(part_of(b, from, to));
  for (size_t i = from; i < to; i++) {
    unsigned char c = (unsigned char)b->at[i];
    if (c >= 0x80 && !good) {
      put(b, '\\');
      ph_strbuf_char(b, 'x');
      ph_strbuf_hexbyte(b, c);
    } else if (put == escape_json && good && ends_line(part_of(b, i, to), 0)) {
      ph_strbuf_puts(b, "\\u20");
      ph_strbuf_hexbyte(b, (unsigned char)b->at[i + 2] - 0x80);
      i += 2;
    } else {
      put(b, c);
    }
  }
}

/* True for what is escaped in one of the languages. */
static bool is_special(char c) {
  switch (c) {
    case '"':
    case '\\':
    case '<':
    case '>':
    case '&':
      return true;
    default:
      return c < ' ' || c > '~';
  }
}

static void escape_from(ph_strbuf *b, size_t from, escape *put) {
  size_t at = from, end = b->n;
  while (at < end && !is_special(b->at[at])) at++;
  if (at == end) return;
  put_escaped(b, from, end, put);
  b->n -= end - from;
  memmove(b->at + from, b->at + end, b->n - from);
}

void ph_quote_json(ph_strbuf *b, size_t from) {
  escape_from(b, from, escape_json);
}

void ph_quote_html(ph_strbuf *b, size_t from) {
  escape_from(b, from, escape_html);
}
