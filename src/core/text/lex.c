/* lex.c: the tokens of the text form.
**
** A token is read directly from the text when the one before it has been
** consumed: only the current token is stored.  After an error all further
** tokens are the end of the text, so that the parser stops soon without
** checking for errors; only the first error is kept.
**
** Positions are byte offsets; line and column are counted on demand.
*/
#include "core/text/lex.h"

#include <stdarg.h>
#include <string.h>

#include "core/base/strbuf.h"

/*
** {== Errors =========================================================
*/

void ph_lex_fail(ph_lexer *lx, uint32_t at, const char *format, ...) {
  va_list args;
  lx->now.kind = PH_TOK_END;
  if (lx->failed) return;
  lx->failed = true;
  lx->where = at;
  va_start(args, format);
  ph_strbuf_message(lx->why, format, args);
  va_end(args);
}

static ph_str slice(const ph_lexer *lx, uint32_t from, uint32_t to) {
  return (ph_str){lx->text.at + from, to - from};
}

void ph_lex_unexpected(ph_lexer *lx, const char *what) {
  const ph_token *t = &lx->now;
  ph_str missing = ph_ascii_str(what);
  ph_str got = slice(lx, t->at, t->end);
  if (t->kind == PH_TOK_END)
    ph_lex_fail(lx, t->at, "$ expected, the text ends", missing);
  else if (t->kind == PH_TOK_LINE)
    ph_lex_fail(lx, t->at, "$ expected, the line ends", missing);
  else
    ph_lex_fail(lx, t->at, "$ expected, got '$'", missing, got);
}

void ph_lex_unknown(ph_lexer *lx, const char *what) {
  ph_str name = lx->now.s;
  ph_lex_fail(lx, lx->now.at,
              memchr(name.at, '.', name.n) != NULL
                  ? "there is no $ '$': is its dialect given?"
                  : "there is no $ '$'",
              ph_ascii_str(what), name);
}

/* }== Parts of tokens ================================================ */

static bool has(const ph_lexer *lx, uint32_t at) { return at < lx->text.n; }

/* Returns the character at `at`; '\n' after the end of the text. */
static char peek(const ph_lexer *lx, uint32_t at) {
  return has(lx, at) ? lx->text.at[at] : '\n';
}

static bool is_at(const ph_lexer *lx, uint32_t at, const char *s) {
  for (; *s != '\0'; s++, at++)
    if (!has(lx, at) || lx->text.at[at] != *s) return false;
  return true;
}

/* Reads an id.  One that exceeds 32 bits becomes the largest, which nothing
** has. */
static void read_id(ph_lexer *lx) {
  ph_token *t = &lx->now;
  uint32_t start = t->end;
  uint64_t id = 0;
  for (; ph_ascii_isdigit(peek(lx, t->end)); t->end++)
    if (id < UINT32_MAX) id = id * 10 + (uint64_t)(peek(lx, t->end) - '0');
  t->id = id < UINT32_MAX ? (uint32_t)id : UINT32_MAX;
  if (id == 0) ph_lex_fail(lx, start, "ids count from 1");
}

/* Reads the id that may follow a name to make it unique. */
static void read_suffix(ph_lexer *lx) {
  if (peek(lx, lx->now.end) != '.') return;
  if (!ph_ascii_isdigit(peek(lx, lx->now.end + 1))) return;
  lx->now.end++;
  read_id(lx);
}

static void read_word(ph_lexer *lx) {
  ph_token *t = &lx->now;
  uint32_t start = t->end;
  t->end = ph_ascii_skipname(lx->text, t->end);
  t->s = slice(lx, start, t->end);
  read_suffix(lx);
}

/* }== Strings ======================================================== */

static int hex_byte(const ph_lexer *lx, uint32_t at) {
  unsigned high, low;
  if (!ph_ascii_hexvalue(peek(lx, at), &high)) return -1;
  if (!ph_ascii_hexvalue(peek(lx, at + 1), &low)) return -1;
  return (int)(high * 16 + low);
}

/* Returns the byte that the escape at `at`, a backslash, stands for, or -1. */
static int escaped(const ph_lexer *lx, uint32_t at) {
  switch (peek(lx, at + 1)) {
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case '"':
    case '\\':
      return peek(lx, at + 1);
    case 'x':
      return hex_byte(lx, at + 2);
    default:
      return -1;
  }
}

static uint32_t escape_length(const ph_lexer *lx, uint32_t at) {
  return peek(lx, at + 1) == 'x' ? 4 : 2;
}

/* Finds the end of the string that starts at `start`; false if it has none. */
static bool find_quote(ph_lexer *lx, uint32_t start, uint32_t *end,
                       bool *escapes) {
  *escapes = false;
  for (*end = start + 1; peek(lx, *end) != '"'; ++*end) {
    if (peek(lx, *end) == '\n') {
      ph_lex_fail(lx, start, "this string has no end on its line");
      return false;
    }
    if (ph_ascii_iscontrol(peek(lx, *end))) {
      ph_lex_fail(lx, *end, "a control character in a string: write it '$'",
                  slice(lx, *end, *end + 1));
      return false;
    }
    if (peek(lx, *end) != '\\') continue;
    *escapes = true;
    if (escaped(lx, *end) < 0) {
      ph_lex_fail(lx, *end, "no such escape: '$'",
                  slice(lx, *end, ph_ascii_skipchar(lx->text, *end + 1)));
      return false;
    }
    *end += escape_length(lx, *end) - 1;
  }
  return true;
}

static void decode_string(ph_lexer *lx, uint32_t from, uint32_t to) {
  ph_chars *out = &lx->decoded;
  out->n = 0;
  ph_chars_reserve(out, lx->arena, to - from);
  while (from < to) {
    bool plain = lx->text.at[from] != '\\';
    out->at[out->n++] = plain ? lx->text.at[from] : (char)escaped(lx, from);
    from += plain ? 1 : escape_length(lx, from);
  }
  lx->now.s = (ph_str){out->at, out->n};
}

static void read_string(ph_lexer *lx) {
  uint32_t start = lx->now.end, end;
  bool escapes;
  if (!find_quote(lx, start, &end, &escapes)) return;
  lx->now.s = slice(lx, start + 1, end);
  if (escapes) decode_string(lx, start + 1, end);
  lx->now.end = end + 1;
  read_suffix(lx);
}

/* }== Tokens ========================================================= */

static void read_value(ph_lexer *lx) {
  char c = peek(lx, ++lx->now.end);
  if (ph_ascii_isdigit(c)) {
    read_id(lx);
    return;
  }
  if (c == '"') {
    read_string(lx);
  } else if (ph_ascii_isletter(c)) {
    uint32_t start = lx->now.end;
    lx->now.end = ph_ascii_skipword(lx->text, start);
    lx->now.s = slice(lx, start, lx->now.end);
    read_suffix(lx);
  }
  if (lx->now.s.n == 0)
    ph_lex_fail(lx, lx->now.at, "a number or a name must follow '%'");
}

/* Reads everything that may belong to a number.  The parser reports errors in
** it. */
static void read_number(ph_lexer *lx) {
  ph_token *t = &lx->now;
  char c = peek(lx, ++t->end);
  while (ph_ascii_isletter(c) || ph_ascii_isdigit(c) || c == '.' ||
         ((c == '-' || c == '+') && (peek(lx, t->end - 1) | 32) == 'e'))
    c = peek(lx, ++t->end);
  t->s = slice(lx, t->at, t->end);
}

static int kind_at(const ph_lexer *lx, uint32_t at) {
  char c = peek(lx, at), next = peek(lx, at + 1);
  if (!has(lx, at)) return PH_TOK_END;
  if (c == '\n') return PH_TOK_LINE;
  if (c == '%') return PH_TOK_VALUE;
  if (c == '"') return PH_TOK_STRING;
  if (ph_ascii_isletter(c)) return PH_TOK_WORD;
  if (is_at(lx, at, "->")) return PH_TOK_ARROW;
  if (is_at(lx, at, "<-")) return PH_TOK_FROM;
  if (is_at(lx, at, "...")) return PH_TOK_DOTS;
  if (ph_ascii_isdigit(c)) return PH_TOK_NUMBER;
  if (c == '-' && (ph_ascii_isdigit(next) || ph_ascii_isletter(next)))
    return PH_TOK_NUMBER;
  return (unsigned char)c;
}

static bool is_mark(int c) {
  for (const char *s = "(){}[],:=@/"; *s != '\0'; s++)
    if (*s == c) return true;
  return false;
}

static void read_rest(ph_lexer *lx) {
  ph_token *t = &lx->now;
  switch (t->kind) {
    case PH_TOK_END:
      break;
    case PH_TOK_WORD:
      read_word(lx);
      break;
    case PH_TOK_STRING:
      read_string(lx);
      break;
    case PH_TOK_NUMBER:
      read_number(lx);
      break;
    case PH_TOK_VALUE:
      read_value(lx);
      break;
    case PH_TOK_ARROW:
    case PH_TOK_FROM:
      t->end += 2;
      break;
    case PH_TOK_DOTS:
      t->end += 3;
      break;
    default:
      t->end++;
      if (t->kind != PH_TOK_LINE && !is_mark(t->kind))
        ph_lex_fail(lx, t->at, "no token starts with '$'",
                    slice(lx, t->at, ph_ascii_skipchar(lx->text, t->at)));
  }
}

static void read_at(ph_lexer *lx, uint32_t at) {
  ph_token *t = &lx->now;
  t->kind = PH_TOK_END;
  t->at = t->end = ph_ascii_skipblanks(lx->text, at);
  t->s = slice(lx, t->at, t->at);
  t->id = 0;
  if (lx->failed) return;
  t->kind = kind_at(lx, t->at);
  read_rest(lx);
}

void ph_lex_next(ph_lexer *lx) {
  lx->before = lx->now.end;
  read_at(lx, lx->now.end);
}

void ph_lex_goto(ph_lexer *lx, uint32_t at) {
  lx->before = at;
  read_at(lx, at);
}

void ph_lex_start(ph_lexer *lx, ph_arena *a, ph_str text, ph_strbuf *why) {
  memset(lx, 0, sizeof *lx);
  lx->text = text;
  lx->arena = a;
  lx->why = why;
  ph_lex_goto(lx, 0);
}

bool ph_lex_isword(const ph_lexer *lx, const char *word) {
  const ph_token *t = &lx->now;
  return t->kind == PH_TOK_WORD && t->id == 0 && ph_ascii_equal(t->s, word);
}

bool ph_lex_accept(ph_lexer *lx, int kind) {
  if (lx->now.kind != kind) return false;
  ph_lex_next(lx);
  return true;
}

bool ph_lex_expect(ph_lexer *lx, int kind, const char *what) {
  if (ph_lex_accept(lx, kind)) return true;
  ph_lex_unexpected(lx, what);
  return false;
}

void ph_lex_skipline(ph_lexer *lx) {
  while (lx->now.kind != PH_TOK_LINE && lx->now.kind != PH_TOK_END)
    ph_lex_next(lx);
}

ph_str ph_lex_source(ph_lexer *lx, uint32_t at) {
  ph_token saved = lx->now;
  uint32_t before = lx->before, end;
  ph_lex_goto(lx, at);
  end = lx->now.end;
  lx->now = saved;
  lx->before = before;
  return slice(lx, at, end);
}

/* }=================================================================== */
