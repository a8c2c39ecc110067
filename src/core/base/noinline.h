/* noinline.h: keeps rare paths of hot functions out of line, so that the hot
** path saves no registers for them; and brings the steps of a hot path into it,
** however many other callers they have. */
#ifndef PH_BASE_NOINLINE_H
#define PH_BASE_NOINLINE_H

#ifdef __GNUC__
#define PH_NOINLINE __attribute__((noinline))
#define PH_INLINE inline __attribute__((always_inline))
#else
#define PH_NOINLINE
#define PH_INLINE inline
#endif

#endif
