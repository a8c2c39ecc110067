/* template.h: rows of a language, compiled.
**
** A row says how an op is written.  It is a text of lines, which
** docs/exporters.md describes.  Compiled, a line is a range of tests, all of
** which must hold, a kind, and a range of parts, which are filled for each
** instruction.
*/
#ifndef PL_ARGS_TEMPLATE_H
#define PL_ARGS_TEMPLATE_H

#include "binding/state/userdata.h"
#pragma GCC visibility push(hidden)

/* Memory that grows: bytes, of which records are made.  pl_grown_done frees
** it. */
typedef struct {
  char *at;
  size_t n, cap;
} pl_grown;

/* Makes room for n more bytes and returns where they begin; they count as used.
** No finalizer runs. */
void *pl_grown_more(lua_State *L, pl_grown *g, size_t n);
void pl_grown_done(lua_State *L, pl_grown *g);

/* What a part or test is about: an operand, from 0, the result, or the operand
** of a form. */
enum { PL_OPERANDS = 3, PL_RESULT = PL_OPERANDS };

typedef enum {
  PL_PART_TEXT,
  PL_PART_OPERAND, /* `form`: 0, '=' or one of the language */
  PL_PART_WORD,    /* of a type: the column `form` */
  PL_PART_TYPE,    /* the name of a type */
  PL_PART_NUMBER,  /* an expression; form: 0, 'x' or 'k' */
  PL_PART_NAME,    /* of the result */
  PL_PART_ARGS,    /* all operands from `which` on */
  PL_PART_SYMBOL,  /* what the instruction calls or has the address of */
  PL_PART_MESSAGE, /* of a trap, its data */
  PL_PART_LET,     /* the name of number `form` */
  PL_PART_EDGE,    /* the label to which edge `form` goes, from 1 */
  PL_PART_NEEDS,   /* the name of a helper begins ... */
  PL_PART_NEEDED,  /* ... and ends */
  PL_PART_WHERE, /* in quotes, where the instruction is, and text that begins ... */
  PL_PART_WHERED /* ... and ends */
} pl_part_kind;

typedef struct {
  uint8_t kind, form, which;
  uint32_t at, n; /* in the texts of the language */
} pl_part;

typedef enum {
  PL_TEST_TYPE,     /* `which` has one of the types of the set */
  PL_TEST_KNOWN,    /* it is a constant */
  PL_TEST_EQUAL,    /* it is this integer */
  PL_TEST_LESS,     /* it is a smaller integer */
  PL_TEST_SAME,     /* it is the same as operand `value` */
  PL_TEST_INLINE,   /* it is a part of an expression */
  PL_TEST_EXTREME,  /* it is the least or greatest integer with a sign ... */
  PL_TEST_UEXTREME, /* ... or without */
  PL_TEST_FLAG      /* an option of the language is set */
} pl_test_kind;

typedef struct {
  uint8_t kind, which;
  bool negated;
  int64_t value; /* a number, a set of types or of flags */
} pl_test;

typedef enum {
  PL_LINE_VALUE,   /* what computes the result: the last line that counts */
  PL_LINE_DO,      /* a statement */
  PL_LINE_SET,     /* computes the result, in a statement */
  PL_LINE_RAW,     /* computes it, where bits beyond the type do not matter */
  PL_LINE_TRAP,    /* a test, maybe, and a message */
  PL_LINE_LET,     /* computes what has a name of its own */
  PL_LINE_RESULT,  /* computes a further result */
  PL_LINE_CASE,    /* computes whether a switch goes to a case */
  PL_LINE_NEED,    /* a helper is needed */
  PL_LINE_DECLARE, /* a line outside functions is needed */
  PL_LINE_TOP,     /* the lines are at the top of the function */
  PL_LINE_LAZY,    /* an operand may not be evaluated */
  PL_LINE_APART    /* the value is not a part of another one */
} pl_line_kind;

typedef struct {
  uint8_t kind;
  bool closed;       /* the text needs no parentheses as an operand */
  bool begins, ends; /* it opens or closes braces around other lines */
  uint16_t ntests;
  uint8_t let;           /* its number, or that of a result, from 1 */
  uint32_t test;         /* the first one */
  uint32_t part, nparts; /* of a trap: those of the test */
  uint32_t message;      /* of a trap: after its test, up to ... */
  uint32_t nmessage;
} pl_line;

enum { PL_FLAGS = 32, PL_FLAG_NAME = 16, PL_LETS = 10 };

/* What a text may say. */
typedef struct {
  bool helpers, /* @NAME */
      symbols,  /* $f */
      messages, /* $m */
      ssa,      /* the language is in SSA form */
      few,      /* its functions have few locals: set, raw, $v, $w */
      options;  /* tests can ask for those that none has asked for */
  /* The instruction has: */
  bool typed; /* a result */
  uint16_t operands, results, edges;
} pl_saying;

/* Rows that were compiled, and what they share. */
typedef struct {
  pl_grown texts, parts, tests, lines;
  char flags[PL_FLAGS][PL_FLAG_NAME]; /* names of options that tests ask for */
  uint32_t nflags;
  pl_saying may; /* of what is being compiled */
} pl_templates;

typedef struct {
  uint32_t line, nlines;
} pl_row;

#define PL_PARTS(t) ((const pl_part *)(const void *)(t)->parts.at)
#define PL_TESTS(t) ((const pl_test *)(const void *)(t)->tests.at)
#define PL_LINES(t) ((const pl_line *)(const void *)(t)->lines.at)

/* What rows may say of any op of phial, in a language with or without SSA form;
** what those of an op of a dialect may. */
pl_saying pl_template_own(bool ssa);
pl_saying pl_template_saying(const ph_opspec *spec, bool ssa);
/* Compiles the text at a stack index; raises an error that begins with `what`,
** if that is not NULL, and the number of the line. */
pl_row pl_template_compile(lua_State *L, pl_templates *t, int text,
                           const char *what);
/* Gives room to what rows are compiled into: an address in it is never null. */
void pl_template_start(lua_State *L, pl_templates *t);
void pl_template_done(lua_State *L, pl_templates *t);

/* What the letters of an expression stand for. */
typedef struct {
  int64_t known[PL_OPERANDS];
  int width[PL_OPERANDS + 1];
} pl_numbers;
/* Computes an expression of n bytes; false: it is none. */
bool pl_template_number(const char *text, size_t n, const pl_numbers *of,
                        int64_t *result);

#pragma GCC visibility pop
#endif
