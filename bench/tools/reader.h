/* reader.h: the reader of traces; for trace.c and typed.c. */
#ifndef READER_H
#define READER_H

#include "trace.h"

typedef struct {
  const char *path;
  const char *p; /* next character */
  uint32_t line;
  trace *t;
  const trace_names *names; /* or NULL */
  trace_func *func;         /* the one being read, or NULL */
  bool open;                /* a block has no terminator yet */
  uint32_t *openedat;       /* by block: the line, 0: not opened; as sealedat */
  uint32_t *sealedat;
  size_t capcode, capfuncs, capblocks;
  /* Of a typed function: */
  uint8_t *vars; /* types */
  uint32_t nvars;
  uint8_t *values; /* types by id, 0: not defined, up to maxvalue */
  uint32_t maxvalue;
  int32_t *args; /* operands of this line, and their types */
  uint8_t *types;
  uint32_t nargs;
  size_t capvars, capvalues, capargs, captypes;
} reader;

/* Prints where and why, and exits. */
_Noreturn void reader_fail(const reader *r, const char *format, ...);
/* Returns room for item number n in an array of *cap items. */
void *reader_room(void *array, size_t n, size_t *cap, size_t size);
void reader_push(reader *r, int32_t word);

/* Read a number below `limit` that begins here; one after a space; any one
** after a space.  `what` names it in the message. */
uint32_t reader_digits(reader *r, const char *what, uint32_t limit);
uint32_t reader_number(reader *r, const char *what, uint32_t limit);
uint32_t reader_count(reader *r, const char *what);

/* Fails if no block is being filled. */
void reader_filling(const reader *r);
/* Reads the target of a terminator. */
void reader_target(reader *r);
/* Ends the block, whose terminator has n targets. */
void reader_filled(reader *r, uint32_t n);

/* Reads the rest of the first line of a typed function. */
void typed_start(reader *r);
/* Reads a line of a typed function that begins with this letter.  False: it is
** as in a plain one. */
bool typed_event(reader *r, char letter);

#endif
