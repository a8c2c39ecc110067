/* f32.h: floats of 32 bits as Lua has them, doubles.
**
** Converting a nan would make it a quiet one: its bits are moved instead.
*/
#ifndef PL_STATE_F32_H
#define PL_STATE_F32_H

#include <stdint.h>
#include <string.h>

enum { PL_F32_MOVED = 52 - 23 };
#define PL_F32_INFINITE UINT32_C(0x7f800000)
#define PL_F32_PAYLOAD UINT32_C(0x007fffff)
#define PL_F32_QUIET UINT32_C(0x00400000)

static inline double pl_f32_widened(uint32_t bits) {
  uint64_t wide = (uint64_t)(bits & 0x80000000) << 32 | UINT64_C(0x7ff) << 52 |
                  (uint64_t)(bits & PL_F32_PAYLOAD) << PL_F32_MOVED;
  float f;
  double d;
  memcpy(&f, &bits, sizeof f);
  if (f == f) return f;
  memcpy(&d, &wide, sizeof d);
  return d;
}

/* A nan whose payload is in the bits that are lost becomes a quiet one. */
static inline uint32_t pl_f32_narrowed(double d) {
  float f = (float)d;
  uint64_t wide;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  if (d == d) return bits;
  memcpy(&wide, &d, sizeof wide);
  bits = (uint32_t)(wide >> PL_F32_MOVED) & PL_F32_PAYLOAD;
  if (bits == 0) bits = PL_F32_QUIET;
  return (uint32_t)(wide >> 63) << 31 | PL_F32_INFINITE | bits;
}

#endif
