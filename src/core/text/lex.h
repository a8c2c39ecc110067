/* lex.h: the tokens of the text form. */
#ifndef PH_TEXT_LEX_H
#define PH_TEXT_LEX_H

#include "core/base/strbuf.h"
#include "core/base/vec.h"
#pragma GCC visibility push(hidden)

/* Kinds of tokens; any other token is its character: ':' '[' ... */
enum {
  PH_TOK_END = 256, /* the text has ended, or is wrong */
  PH_TOK_LINE,      /* the end of a line */
  PH_TOK_WORD,      /* add, lua.br, head, head.3 */
  PH_TOK_STRING,    /* "a b", "a b".3 */
  PH_TOK_NUMBER,    /* 12, -1.5e3, 0x7f, -inf */
  PH_TOK_VALUE,     /* %12, %n, %n.12, %"a b" */
  PH_TOK_ARROW,     /* -> */
  PH_TOK_FROM,      /* <- */
  PH_TOK_DOTS       /* ... */
};

typedef struct {
  int kind;
  uint32_t at, end; /* range of bytes of the text */
  ph_str s;         /* word, number, bytes of a string, name of a value */
  uint32_t id;      /* of a value, or after a name; 0: none is shown */
} ph_token;

PH_VEC(ph_chars, char)

typedef struct {
  ph_str text;
  ph_arena *arena;
  ph_token now;     /* the current token */
  uint32_t before;  /* end of the token before it */
  ph_chars decoded; /* bytes of the current string, if it has escapes */
  ph_strbuf *why;   /* message about the first error */
  uint32_t where;   /* its position */
  bool failed;
} ph_lexer;

/* Starts with the first token of `text`. */
void ph_lex_start(ph_lexer *lx, ph_arena *a, ph_str text, ph_strbuf *why);
void ph_lex_next(ph_lexer *lx);
/* Goes back, or forward, to the token that starts at `at`. */
void ph_lex_goto(ph_lexer *lx, uint32_t at);
/* True if the current token is this word, without an id. */
bool ph_lex_isword(const ph_lexer *lx, const char *word);
/* Consumes the current token and returns true if it is of that kind. */
bool ph_lex_accept(ph_lexer *lx, int kind);
/* Does the same, and reports an error otherwise; `what` is what was
** expected. */
bool ph_lex_expect(ph_lexer *lx, int kind, const char *what);
/* Reports that `what` was expected instead of the current token. */
void ph_lex_unexpected(ph_lexer *lx, const char *what);
/* Reports that the current token names none of `what`. */
void ph_lex_unknown(ph_lexer *lx, const char *what);
void ph_lex_skipline(ph_lexer *lx);
/* Returns the text of the token that starts at `at`. */
ph_str ph_lex_source(ph_lexer *lx, uint32_t at);

/* Reports an error at byte `at`, if it is the first, and ends the text; the
** format is that of ph_strbuf_message. */
void ph_lex_fail(ph_lexer *lx, uint32_t at, const char *format, ...);

#pragma GCC visibility pop
#endif
