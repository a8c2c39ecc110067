/* structured.h: which functions have structured control flow. */
#ifndef STRUCTURED_H
#define STRUCTURED_H

#include "trace.h"

/* Removes the functions that PH_BRANDIS does not take. */
void structured_keep(trace *t);

#endif
