/* seal.h: when the blocks of a trace are sealed. */
#ifndef SEAL_H
#define SEAL_H

#include "trace.h"

/* Leaves all sealing to finish. */
void seal_end(trace *t);
/* Puts each seal off, to a moment drawn from `seed` or to finish. */
void seal_random(trace *t, uint32_t seed);

#endif
