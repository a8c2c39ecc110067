/* rule_lex.h: the tokens of rules. */
#ifndef PH_RULES_LANGUAGE_RULE_LEX_H
#define PH_RULES_LANGUAGE_RULE_LEX_H

#include "core/base/strbuf.h"

/* Kinds of tokens; any other one is its character: '+' '(' ... */
enum {
  PH_RULE_TOK_END = 256, /* the text is over, or wrong */
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
  uint32_t at, end; /* bytes of the text */
  ph_str s;         /* what stands there; without quotes */
} ph_lexeme;

typedef struct {
  ph_str text;
  ph_lexeme now;   /* the token to read */
  ph_lexeme after; /* and the one behind it */
  uint32_t before; /* where the one before ended */
  uint32_t open;   /* brackets that are open, up to `after` */
  uint32_t opened; /* where the outermost of them is */
  ph_strbuf *why;  /* of the first mistake: where, and what */
  uint32_t where;
  bool failed;
} ph_rule_lexer;

/* Starts at byte `at`: the first token is there. */
void ph_rule_lex_start(ph_rule_lexer *s, ph_str text, uint32_t at,
                       ph_strbuf *why);
void ph_rule_lex_next(ph_rule_lexer *s);
/* If a token of that kind is there, reads it. */
bool ph_rule_lex_accept(ph_rule_lexer *s, int kind);
/* Is the token there this word? */
bool ph_rule_lex_is(const ph_rule_lexer *s, const char *word);
/* It must be there; `what` says what is missing. */
bool ph_rule_lex_expect(ph_rule_lexer *s, int kind, const char *what);
void ph_rule_lex_unexpected(ph_rule_lexer *s, const char *what);

/* Notes a mistake at byte `at`, if it is the first, and ends the text.  Each
** $ of the format stands for a ph_str, each # for a uint32_t. */
void ph_rule_lex_fail(ph_rule_lexer *s, uint32_t at, const char *format, ...);

#endif
