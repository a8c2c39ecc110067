/* seal.h: moves the seals of a trace. */
#ifndef SEAL_H
#define SEAL_H

#include "trace.h"

/* Removes all seals: finish seals. */
void seal_end(trace *t);
/* Moves each seal to a random later event, or removes it. */
void seal_random(trace *t, uint32_t seed);

#endif
