/* noinline.h: keeps rare paths of hot functions out of line, so that the hot
** path saves no registers for them. */
#ifndef PH_BASE_NOINLINE_H
#define PH_BASE_NOINLINE_H

#ifdef __GNUC__
#define PH_NOINLINE __attribute__((noinline))
#else
#define PH_NOINLINE
#endif

#endif
