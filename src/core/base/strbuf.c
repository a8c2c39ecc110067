/* strbuf.c: classes of characters; growing text, and how names and numbers
** appear in it.
**
** Nothing here uses the C library's classes, because they depend on the locale.
**
** A buffer grows by half, in memory of the host.  It is consistent at any
** moment: a new size is stored only when the memory exists, so a host that
** jumps out of its allocator can still free the buffer.
**
** A pass that has something to report reports it when its own memory is free
** again: then the host's callback may leave by longjmp, and may ask for other
** passes.  Until then ph_texts holds it.
*/
#include "core/base/strbuf.h"

#include <string.h>

/*
** {== Characters =====================================================
*/

bool ph_ascii_isletter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool ph_ascii_isdigit(char c) { return c >= '0' && c <= '9'; }

bool ph_ascii_iscontrol(char c) { return (unsigned char)c < 0x20 || c == 0x7f; }

bool ph_ascii_hexvalue(char c, unsigned *value) {
  static const char digits[] = "0123456789abcdefABCDEF";
  const char *at = memchr(digits, c, sizeof digits - 1);
  if (at == NULL) return false;
  *value = (unsigned)(at - digits);
  if (*value > 15) *value -= 6;
  return true;
}

bool ph_ascii_isname(ph_str s) {
  if (s.n == 0 || !ph_ascii_isletter(s.at[0])) return false;
  for (size_t i = 1; i < s.n; i++)
    if (!ph_ascii_isletter(s.at[i]) && !ph_ascii_isdigit(s.at[i])) return false;
  return true;
}

ph_str ph_ascii_str(const char *s) { return (ph_str){s, strlen(s)}; }

bool ph_ascii_equal(ph_str a, const char *s) {
  return a.n > 0 && a.at[0] == s[0] && strlen(s) == a.n &&
         memcmp(a.at, s, a.n) == 0;
}

bool ph_ascii_same(ph_str a, ph_str b) {
  return a.n == b.n && (a.n == 0 || memcmp(a.at, b.at, a.n) == 0);
}

/* }== Scanning ======================================================= */

/* Returns the character at `at`; '\n' after the end. */
static char peek(ph_str text, uint32_t at) {
  return at < text.n ? text.at[at] : '\n';
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

uint32_t ph_ascii_skipblanks(ph_str text, uint32_t at) {
  while (is_blank(peek(text, at))) at++;
  if (peek(text, at) == '-' && peek(text, at + 1) == '-')
    while (peek(text, at) != '\n') at++;
  return at;
}

uint32_t ph_ascii_skipword(ph_str text, uint32_t at) {
  while (ph_ascii_isletter(peek(text, at)) || ph_ascii_isdigit(peek(text, at)))
    at++;
  return at;
}

uint32_t ph_ascii_skipname(ph_str text, uint32_t at) {
  at = ph_ascii_skipword(text, at);
  if (peek(text, at) == '.' && ph_ascii_isletter(peek(text, at + 1)))
    at = ph_ascii_skipword(text, at + 1);
  return at;
}

uint32_t ph_ascii_skipchar(ph_str text, uint32_t at) {
  if (at < text.n) at++;
  while ((peek(text, at) & 0xc0) == 0x80) at++;
  return at;
}

void ph_ascii_position(ph_str text, uint32_t at, uint32_t *line,
                       uint32_t *col) {
  uint32_t start = 0;
  *line = 1;
  for (uint32_t i = 0; i < at && i < text.n; i++) {
    if (text.at[i] != '\n') continue;
    ++*line;
    start = i + 1;
  }
  *col = at - start + 1;
}

/* }== Buffers ======================================================== */

void ph_strbuf_done(ph_strbuf *b) {
  if (ph_ptr(b)->at != NULL) b->mem->realloc(b->mem->ud, b->at, b->cap, 0);
  b->at = NULL;
  b->n = b->cap = 0;
}

static void make_room(ph_strbuf *b, size_t n) {
  size_t cap = b->cap;
  if (cap - b->n >= n) return;
  while (cap - b->n < n) cap += cap / 2 + 64;
  b->at = b->mem->realloc(b->mem->ud, b->at, b->cap, cap);
  b->cap = cap;
}

void ph_strbuf_add(ph_strbuf *b, ph_str s) {
  if (s.n == 0) return;
  make_room(ph_ptr(b), s.n);
  memcpy(b->at + b->n, s.at, s.n);
  b->n += s.n;
}

void ph_strbuf_puts(ph_strbuf *b, const char *s) {
  ph_strbuf_add(ph_ptr(b), (ph_str){ph_ptr(s), strlen(s)});
}

void ph_strbuf_char(ph_strbuf *b, char c) {
  make_room(b, 1);
  b->at[b->n++] = c;
}

/* }== Numbers ======================================================== */

ph_str ph_strbuf_decimal(ph_digits *d, uint64_t u) {
  size_t i = sizeof d->at;
  do {
    d->at[--i] = (char)('0' + u % 10);
    u /= 10;
  } while (u != 0);
  return (ph_str){d->at + i, sizeof d->at - i};
}

void ph_strbuf_uint(ph_strbuf *b, uint64_t u) {
  ph_digits d;
  ph_strbuf_add(b, ph_strbuf_decimal(&d, u));
}

void ph_strbuf_int(ph_strbuf *b, int64_t i) {
  if (i < 0) ph_strbuf_char(ph_ptr(b), '-');
  ph_strbuf_uint(b, i < 0 ? 0 - (uint64_t)i : (uint64_t)i);
}

static char hex_digit(uint64_t u) { return "0123456789abcdef"[u & 15]; }

void ph_strbuf_hex(ph_strbuf *b, uint64_t u) {
  int shift = 60;
  ph_strbuf_puts(b, "0x");
  while (shift > 0 && u >> shift == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) ph_strbuf_char(b, hex_digit(u >> shift));
}

/* }== Text =========================================================== */

void ph_strbuf_hexbyte(ph_strbuf *b, unsigned char c) {
  ph_strbuf_char(b, hex_digit(c >> 4));
  ph_strbuf_char(b, hex_digit(c));
}

static void put_printable(ph_strbuf *b, char c) {
  if (!ph_ascii_iscontrol(c)) {
    ph_strbuf_char(b, c);
    return;
  }
  ph_strbuf_puts(b, "\\x");
  ph_strbuf_hexbyte(b, (unsigned char)c);
}

static void put_escaped(ph_strbuf *b, char c) {
  static const char escaped[] = "\"\\\n\r\t", letters[] = "\"\\nrt";
  const char *at = memchr(escaped, c, sizeof escaped - 1);
  if (at == NULL) {
    put_printable(b, c);
    return;
  }
  ph_strbuf_char(b, '\\');
  ph_strbuf_char(b, letters[at - escaped]);
}

/* The bytes at the beginning of s that stand for themselves in quotes. */
static size_t count_plain(ph_str s) {
  size_t n = 0;
  while (n < s.n && !ph_ascii_iscontrol(s.at[n]) && s.at[n] != '"' &&
         s.at[n] != '\\')
    n++;
  return n;
}

void ph_strbuf_quoted(ph_strbuf *b, ph_str s) {
  ph_strbuf_char(ph_ptr(b), '"');
  while (s.n > 0) {
    size_t plain = count_plain(s);
    ph_strbuf_add(b, (ph_str){s.at, plain});
    if (plain < s.n) put_escaped(b, s.at[plain++]);
    s = (ph_str){s.at + plain, s.n - plain};
  }
  ph_strbuf_char(b, '"');
}

void ph_strbuf_name(ph_strbuf *b, ph_str name) {
  if (ph_ascii_isname(name))
    ph_strbuf_add(ph_ptr(b), name);
  else
    ph_strbuf_quoted(b, name);
}

/* Returns the start of the UTF-8 character that byte n of s belongs to. */
static size_t character_at(ph_str s, size_t n) {
  size_t start = n;
  while (start > 0 && n - start < 3 && (s.at[start] & 0xc0) == 0x80) start--;
  return (s.at[start] & 0xc0) == 0x80 ? n : start;
}

static void add_excerpt(ph_strbuf *b, ph_str s) {
  size_t n = s.n <= 60 ? s.n : character_at(s, 57);
  for (size_t i = 0; i < n; i++) put_printable(b, s.at[i]);
  if (n < s.n) ph_strbuf_puts(b, "...");
}

void ph_strbuf_message(ph_strbuf *b, const char *format, va_list args) {
  for (; *format != '\0'; format++) {
    if (*format == '$')
      add_excerpt(b, va_arg(args, ph_str));
    else if (*format == '#')
      ph_strbuf_uint(b, va_arg(args, uint32_t));
    else
      ph_strbuf_char(b, *format);
  }
}

/* }== Texts told at the end ========================================== */

void ph_texts_start(ph_texts *t, ph_arena *a) {
  memset(t, 0, sizeof *t);
  t->a = a;
  t->mem = ph_arena_mem(a);
  t->all.mem = &t->mem;
}

void ph_texts_end(ph_texts *t) {
  ph_ids_push(&t->lengths, t->a, (uint32_t)(t->all.n - t->begin));
  t->begin = t->all.n;
}

void ph_texts_tell(const ph_texts *t, void (*report)(void *ud, ph_str text),
                   void *ud) {
  const char *at = t->all.at;
  for (uint32_t i = 0; i < t->lengths.n; i++) {
    report(ud, (ph_str){at, t->lengths.at[i]});
    at += t->lengths.at[i];
  }
}

/* }=================================================================== */
