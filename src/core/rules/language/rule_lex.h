/* scan.h: the tokens of rules. */
#ifndef PH_SCAN_H
#define PH_SCAN_H

#include "core/base/strbuf.h"

/* Kinds of tokens; any other one is its character: '+' '(' ... */
enum {
  PH_S_END = 256, /* the text is over, or wrong */
  PH_S_LINE,      /* the end of a line that ends a rule */
  PH_S_NAME,      /* x, add, lua.add */
  PH_S_INTEGER,   /* 12, 0xff */
  PH_S_FLOAT,     /* 1.5, 1e3 */
  PH_S_STRING,    /* "a b" */
  PH_S_ARROW,     /* => */
  PH_S_EQ,        /* == */
  PH_S_NE,        /* ~= */
  PH_S_LE,
  PH_S_GE,
  PH_S_SHL,
  PH_S_SHR
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
  ph_buf *why;     /* of the first mistake: where, and what */
  uint32_t where;
  bool failed;
} ph_scanner;

/* Starts at byte `at`: the first token is there. */
void ph_scan_start(ph_scanner *s, ph_str text, uint32_t at, ph_buf *why);
void ph_scan_next(ph_scanner *s);
/* If a token of that kind is there, reads it. */
bool ph_scan_accept(ph_scanner *s, int kind);
/* Is the token there this word? */
bool ph_scan_is(const ph_scanner *s, const char *word);
/* It must be there; `what` says what is missing. */
bool ph_scan_expect(ph_scanner *s, int kind, const char *what);
void ph_scan_unexpected(ph_scanner *s, const char *what);

/* Notes a mistake at byte `at`, if it is the first, and ends the text.  Each
** $ of the format stands for a ph_str, each # for a uint32_t. */
void ph_scan_fail(ph_scanner *s, uint32_t at, const char *format, ...);

#endif
