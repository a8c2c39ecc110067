/* noinline.h: what a function that is called very often does seldom stands in a
** function of its own, which the compiler keeps apart: the other one saves no
** registers for it. */
#ifndef PH_BASE_NOINLINE_H
#define PH_BASE_NOINLINE_H

#include "phial.h"

#ifdef __GNUC__
#define PH_NOINLINE __attribute__((noinline))
#else
#define PH_NOINLINE
#endif

#endif
