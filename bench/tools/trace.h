/* trace.h: traces of SSA construction (.sst), read into one array of events.
**
** A trace lists what a frontend does, function by function: open a block, read
** and write variables, end the block, seal blocks.  An event is a word of the
** enum below followed by its operands: b is a block, v a variable.
*/
#ifndef TRACE_H
#define TRACE_H

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
  TRACE_EMIT    /* a new value made of the two latest ones; see trace_bare */
};

typedef struct {
  char *name;
  uint32_t nblocks, nvars; /* both are counted from 0; block 0 is the entry */
  size_t start;            /* of its events in the trace's code */
} trace_func;

typedef struct {
  trace_func *funcs;
  int32_t *code;
  size_t nfuncs, ncode;
  size_t events; /* reads, writes, moves, uses and terminators */
  uint32_t maxblocks, maxvars, maxtargets;
} trace;

/* Reads a file.  If it is not a trace, prints where and why and exits. */
trace trace_load(const char *path);
void trace_free(trace *t);

/* Number of words of the event at c. */
size_t trace_width(const int32_t *c);

/* Turns each move into a write of a new value. */
void trace_freshen(trace *t);

/* Leaves what needs no variables: blocks, terminators, uses, and the
** instructions that writes make.  What a replay of the rest takes is not
** construction. */
void trace_bare(trace *t);

#ifdef __cplusplus
}
#endif

#endif
