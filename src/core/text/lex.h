/* lex.h: the tokens of the text form. */
#ifndef PH_TEXT_LEX_H
#define PH_TEXT_LEX_H

#include "core/base/strbuf.h"
#include "core/base/vec.h"

/* Kinds of tokens; any other one is its character: ':' '[' ... */
enum {
  PH_TOK_END = 256, /* the text is over, or wrong */
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
  uint32_t at, end; /* bytes of the text */
  ph_str s;         /* word, number, bytes of a string, name of a value */
  uint32_t id;      /* of a value, or behind a name; 0: none is shown */
} ph_token;

PH_VEC(ph_chars, char)

typedef struct {
  ph_str text;
  ph_arena *arena;
  ph_token now;     /* the token to read */
  uint32_t before;  /* where the one before it ended */
  ph_chars decoded; /* the bytes of a string with escapes */
  ph_strbuf *why;   /* of the first mistake */
  uint32_t where;
  bool failed;
} ph_lexer;

/* Starts: the first token is there. */
void ph_lex_start(ph_lexer *lx, ph_arena *a, ph_str text, ph_strbuf *why);
void ph_lex_next(ph_lexer *lx);
/* Goes back, or on, to the token that starts at `at`. */
void ph_lex_goto(ph_lexer *lx, uint32_t at);
/* If a token of that kind is there, reads it. */
bool ph_lex_accept(ph_lexer *lx, int kind);
/* It must be there; `what` says what is missing. */
bool ph_lex_expect(ph_lexer *lx, int kind, const char *what);
/* Something else should be there. */
void ph_lex_unexpected(ph_lexer *lx, const char *what);
void ph_lex_skipline(ph_lexer *lx);
/* The text of the token that starts at `at`. */
ph_str ph_lex_source(ph_lexer *lx, uint32_t at);

/* Notes a mistake at byte `at`, if it is the first, and ends the text.  Each
** $ of the format stands for a ph_str. */
void ph_lex_fail(ph_lexer *lx, uint32_t at, const char *format, ...);

/* Line and column of a byte, from 1. */
void ph_lex_position(ph_str text, uint32_t at, uint32_t *line, uint32_t *col);

#endif
