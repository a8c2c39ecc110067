/* trace.h: traces of SSA construction (.sst), read into one array of events.
**
** A trace lists what a frontend does, function by function: open a block, read
** and write variables, end the block, seal blocks.  A function is plain, or
** typed: then it has instructions, too, and events say which values they use
** (docs/trace.md).  An event is a word of the enum below followed by its
** operands: b is a block, v a variable, t a type; of typed functions, id is the
** number of a value, a is such a number, or ~i: constant i of trace_names.
*/
#ifndef TRACE_H
#define TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TRACE_BLOCK,  /* b: is filled from here on */
  TRACE_READ,   /* v: its value becomes the latest one */
  TRACE_WRITE,  /* v: gets a new value made of the two latest ones */
  TRACE_MOVE,   /* v: gets the latest value */
  TRACE_USE,    /* uses the latest value */
  TRACE_JUMP,   /* b */
  TRACE_COND,   /* b b: branches on the latest value */
  TRACE_SWITCH, /* n, then n times b; the first is the default */
  TRACE_RET,    /* returns the latest value */
  TRACE_SEAL,   /* b */
  TRACE_END,    /* of the function */
  TRACE_EMIT,   /* a new value made of the two latest ones; see trace_bare */
  /* of typed functions: */
  TRACE_PARAM, /* t: value %1, %2 ..., also a variable; before all others */
  TRACE_VAR,   /* t */
  TRACE_GET,   /* v id: its value is id from here on */
  TRACE_PUT,   /* v a: gets the value a */
  TRACE_INST,  /* op t data id n, then n times a: an instruction with the
                  result id, of type t, or 0 0; data -1: none */
  TRACE_TERM   /* op m, then m times b, n, then n times a: a terminator */
};

typedef struct {
  char *name;
  uint32_t nblocks, nvars; /* both are counted from 0; block 0 is the entry; a
                              typed function makes its variables by events */
  size_t start;            /* of its events in the trace's code */
  bool typed;
  uint8_t result; /* its type if it is typed; 0: none */
} trace_func;

typedef struct {
  trace_func *funcs;
  int32_t *code;
  size_t nfuncs, ncode;
  size_t events; /* reads, writes, moves, uses, instructions and terminators */
  uint32_t maxblocks, maxvars, maxtargets;
  uint32_t maxargs, maxvalue; /* of typed functions: the largest id */
} trace;

/* What the words of typed functions mean, as numbers. */
typedef struct {
  void *ud;
  uint8_t (*type)(void *ud, const char *at, size_t n); /* 0: not a type */
  /* An instruction's or a terminator's op; -1: it is not one. */
  int32_t (*op)(void *ud, const char *at, size_t n, bool terminator);
  /* -1: not a constant; sets its type. */
  int32_t (*constant)(void *ud, const char *at, size_t n, uint8_t *type);
  /* True if operands of these types fit op, and give a result of that type, or
  ** none, 0. */
  bool (*fits)(void *ud, int32_t op, const uint8_t *types, uint32_t n,
               uint8_t result);
  bool (*distinct)(void *ud, const int32_t *constants, uint32_t n);
} trace_names;

/* Reads a file; without names, of plain functions only.  If it is not a trace,
** prints where and why and exits. */
trace trace_load(const char *path, const trace_names *names);
void trace_free(trace *t);

/* Number of words of the event at c. */
size_t trace_width(const int32_t *c);

/* Turns each move into a write of a new value. */
void trace_freshen(trace *t);

/* Leaves what needs no variables: blocks, terminators, uses, and the
** instructions that writes make.  What a replay of the rest takes is not
** construction.  For plain functions only. */
void trace_bare(trace *t);

#ifdef __cplusplus
}
#endif

#endif
