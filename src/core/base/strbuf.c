/* buf.c: text that grows, and how names and numbers look in it.
**
** A buffer grows by half, in memory of the host.  It is whole at any moment:
** a new size is noted only when the memory is there, so a host that jumps out
** of its allocator can still free the buffer.
**
** Nothing here asks the C library how characters or numbers look, because its
** answers depend on the locale.
*/
#include "core/base/strbuf.h"

#include <string.h>

void ph_buf_done(ph_buf *b) {
  if (b->at != NULL) b->mem->realloc(b->mem->ud, b->at, b->cap, 0);
  b->at = NULL;
  b->n = b->cap = 0;
}

static void make_room(ph_buf *b, size_t n) {
  size_t cap = b->cap;
  if (cap - b->n >= n) return;
  while (cap - b->n < n) cap += cap / 2 + 64;
  b->at = b->mem->realloc(b->mem->ud, b->at, b->cap, cap);
  b->cap = cap;
}

void ph_buf_add(ph_buf *b, ph_str s) {
  if (s.n == 0) return;
  make_room(b, s.n);
  memcpy(b->at + b->n, s.at, s.n);
  b->n += s.n;
}

void ph_buf_puts(ph_buf *b, const char *s) {
  ph_buf_add(b, (ph_str){s, strlen(s)});
}

void ph_buf_char(ph_buf *b, char c) {
  make_room(b, 1);
  b->at[b->n++] = c;
}

/*
** {== Numbers ========================================================
*/

ph_str ph_buf_decimal(ph_digits *d, uint64_t u) {
  size_t i = sizeof d->at;
  do {
    d->at[--i] = (char)('0' + u % 10);
    u /= 10;
  } while (u != 0);
  return (ph_str){d->at + i, sizeof d->at - i};
}

void ph_buf_uint(ph_buf *b, uint64_t u) {
  ph_digits d;
  ph_buf_add(b, ph_buf_decimal(&d, u));
}

void ph_buf_int(ph_buf *b, int64_t i) {
  if (i < 0) ph_buf_char(b, '-');
  ph_buf_uint(b, i < 0 ? 0 - (uint64_t)i : (uint64_t)i);
}

static char hex_digit(uint64_t u) { return "0123456789abcdef"[u & 15]; }

void ph_buf_hex(ph_buf *b, uint64_t u) {
  int shift = 60;
  ph_buf_puts(b, "0x");
  while (shift > 0 && u >> shift == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) ph_buf_char(b, hex_digit(u >> shift));
}

/* }== Names ========================================================== */

bool ph_buf_isletter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool ph_buf_isdigit(char c) { return c >= '0' && c <= '9'; }

bool ph_buf_iscontrol(char c) { return (unsigned char)c < 0x20 || c == 0x7f; }

int ph_buf_hexvalue(char c) {
  if (ph_buf_isdigit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool ph_buf_isname(ph_str s) {
  if (s.n == 0 || !ph_buf_isletter(s.at[0])) return false;
  for (size_t i = 1; i < s.n; i++)
    if (!ph_buf_isletter(s.at[i]) && !ph_buf_isdigit(s.at[i])) return false;
  return true;
}

static void put_byte(ph_buf *b, char c) {
  ph_buf_puts(b, "\\x");
  ph_buf_char(b, hex_digit((unsigned char)c >> 4));
  ph_buf_char(b, hex_digit((unsigned char)c));
}

static void put_escaped(ph_buf *b, char c) {
  switch (c) {
    case '"':
      ph_buf_puts(b, "\\\"");
      break;
    case '\\':
      ph_buf_puts(b, "\\\\");
      break;
    case '\n':
      ph_buf_puts(b, "\\n");
      break;
    case '\r':
      ph_buf_puts(b, "\\r");
      break;
    case '\t':
      ph_buf_puts(b, "\\t");
      break;
    default:
      if (ph_buf_iscontrol(c))
        put_byte(b, c);
      else
        ph_buf_char(b, c);
  }
}

void ph_buf_quoted(ph_buf *b, ph_str s) {
  ph_buf_char(b, '"');
  for (size_t i = 0; i < s.n; i++) put_escaped(b, s.at[i]);
  ph_buf_char(b, '"');
}

void ph_buf_name(ph_buf *b, ph_str s) {
  if (ph_buf_isname(s))
    ph_buf_add(b, s);
  else
    ph_buf_quoted(b, s);
}

/* The start of the character of UTF-8 that byte n of s belongs to. */
static size_t character_at(ph_str s, size_t n) {
  size_t start = n;
  while (start > 0 && n - start < 3 && (s.at[start] & 0xc0) == 0x80) start--;
  return (s.at[start] & 0xc0) == 0x80 ? n : start;
}

void ph_buf_excerpt(ph_buf *b, ph_str s) {
  size_t n = s.n <= 60 ? s.n : character_at(s, 57);
  for (size_t i = 0; i < n; i++) {
    if (ph_buf_iscontrol(s.at[i]))
      put_byte(b, s.at[i]);
    else
      ph_buf_char(b, s.at[i]);
  }
  if (n < s.n) ph_buf_puts(b, "...");
}

/* }=================================================================== */
