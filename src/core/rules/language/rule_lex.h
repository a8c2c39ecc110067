/* rule_lex.h: the tokens of rules. */
#ifndef PH_RULES_LANGUAGE_RULE_LEX_H
#define PH_RULES_LANGUAGE_RULE_LEX_H

#include "core/base/strbuf.h"
#pragma GCC visibility push(hidden)

/* Kinds of tokens; any other token's kind is its character: '+' '(' ... */
enum {
  PH_RULE_TOK_END = 256, /* the end of the text, or an error */
  PH_RULE_TOK_LINE,      /* the end of a line that ends a rule */
  PH_RULE_TOK_NAME,      /* x, add, lua.add */
  PH_RULE_TOK_INTEGER,   /* 12, 0xff */
  PH_RULE_TOK_FLOAT,     /* 1.5, 1e3 */
  PH_RULE_TOK_STRING,    /* "a b" */
  PH_RULE_TOK_ARROW,     /* => */
  PH_RULE_TOK_EQ,        /* == */
  PH_RULE_TOK_NE,        /* ~= */
  PH_RULE_TOK_LE,
  PH_RULE_TOK_GE,
  PH_RULE_TOK_SHL,
  PH_RULE_TOK_SHR
};

typedef struct {
  int kind;
  uint32_t at, end; /* offsets in the text */
  ph_str s;         /* as written */
} ph_lexeme;

typedef struct {
  ph_str text;
  ph_lexeme now;   /* the token to read */
  ph_lexeme after; /* the one after it */
  uint32_t before; /* the end of the one before it */
  uint32_t open;   /* number of open brackets, up to `after` */
  uint32_t opened; /* offset of the outermost open bracket */
  ph_strbuf *why;  /* message of the first error */
  uint32_t where;
  bool failed;
} ph_rule_lexer;

/* Starts at byte `at` and reads the first token. */
void ph_rule_lex_start(ph_rule_lexer *s, ph_str text, uint32_t at,
                       ph_strbuf *why);
void ph_rule_lex_next(ph_rule_lexer *s);
/* Reads the token if it is of that kind; true if it was. */
bool ph_rule_lex_accept(ph_rule_lexer *s, int kind);
/* True if the token is this word. */
bool ph_rule_lex_is(const ph_rule_lexer *s, const char *word);
/* Reads a token that must be of that kind; `what` names it in the error. */
bool ph_rule_lex_expect(ph_rule_lexer *s, int kind, const char *what);
void ph_rule_lex_unexpected(ph_rule_lexer *s, const char *what);

/* Reports an error at byte `at`, if it is the first, and ends the text; the
** format is that of ph_strbuf_message. */
void ph_rule_lex_fail(ph_rule_lexer *s, uint32_t at, const char *format, ...);

#pragma GCC visibility pop
#endif
