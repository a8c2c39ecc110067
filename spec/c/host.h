/* host.h: a host whose memory runs out when it is told to. */
#ifndef HOST_H
#define HOST_H

#include "phial.h"
#include "pieces.h"

#include <setjmp.h>

typedef struct {
  ph_mem mem; /* for functions; set by host_init, the host must stay there */
  jmp_buf out;
  long left;     /* allocations before it runs out; < 0: it does not */
  long failures; /* how often it ran out */
  pieces pieces;
} host;

void host_init(host *h);

/* Does step(ud) with memory for k allocations; the next one jumps out.
** false: it did. */
bool host_try(host *h, long k, void (*step)(void *ud), void *ud);

/* The k to try after this one: the next, but one of ever fewer in the hard build,
** where each piece of an arena is an allocation, and if RUNS is set. */
long host_next(long k);

#endif
