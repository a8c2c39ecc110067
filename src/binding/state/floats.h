/* floats.h: floats as bits.
**
** Those of 32 bits are doubles in Lua.  Converting a nan would make it a quiet
** one: its bits are moved instead.
*/
#ifndef PL_STATE_FLOATS_H
#define PL_STATE_FLOATS_H

#include <stdint.h>
#include <string.h>

static inline double pl_f64_of(uint64_t bits) {
  double d;
  memcpy(&d, &bits, sizeof d);
  return d;
}

static inline uint64_t pl_f64_bits(double d) {
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

enum { PL_F32_MOVED = 52 - 23 };
#define PL_F32_INFINITE UINT32_C(0x7f800000)
#define PL_F32_PAYLOAD UINT32_C(0x007fffff)
#define PL_F32_QUIET UINT32_C(0x00400000)

static inline double pl_f32_widened(uint32_t bits) {
  uint64_t wide = (uint64_t)(bits & 0x80000000) << 32 | UINT64_C(0x7ff) << 52 |
                  (uint64_t)(bits & PL_F32_PAYLOAD) << PL_F32_MOVED;
  float f;
  memcpy(&f, &bits, sizeof f);
  return f == f ? f : pl_f64_of(wide);
}

/* A nan whose payload is in the bits that are lost becomes a quiet one. */
static inline uint32_t pl_f32_narrowed(double d) {
  float f = (float)d;
  uint64_t wide = pl_f64_bits(d);
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  if (d == d) return bits;
  bits = (uint32_t)(wide >> PL_F32_MOVED) & PL_F32_PAYLOAD;
  if (bits == 0) bits = PL_F32_QUIET;
  return (uint32_t)(wide >> 63) << 31 | PL_F32_INFINITE | bits;
}

#endif
