/* apart.h: what a function that is called very often does seldom stands in a
** function of its own, which the compiler keeps apart: the other one saves no
** registers for it. */
#ifndef PH_APART_H
#define PH_APART_H

#include "phial.h"

#ifdef __GNUC__
#define PH_APART __attribute__((noinline))
#else
#define PH_APART
#endif

#endif
