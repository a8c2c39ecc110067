/* dispatch.h: leaves typed traces to a program of their own. */
#ifndef DISPATCH_H
#define DISPATCH_H

#include "options.h"

/* Runs bench/replay_typed instead if the trace is typed or needs rules. */
void dispatch_typed(const options *o, char **argv);

#endif
