/* Numbers: conversions, integer types, shifts, floats, constant expressions. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#define SHOW(x) printf("%s = %ld\n", #x, (long)(x))

enum {
  SIZE = sizeof(long) * 4 - 2,
  SHIFTED = 1 << 5 | 3,
  CHOSEN = SIZE > 3 ? 'c' : 1 / 1
};
static int table[(SHIFTED & ~3) / 4 + !0];
static const double third = 1.0 / 3;
static unsigned char wrapped = 300 - 1;
_Static_assert(sizeof table == 9 * sizeof(int), "constant folding");

static uint32_t crc(const char *s) {
  uint32_t c = ~0u;
  while (*s) {
    c ^= (unsigned char)*s++;
    for (int k = 0; k < 8; k++) c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
  }
  return ~c;
}

static float half(float x) { return x / 2; }
static short narrow(int x) { return x; }
static _Bool truth(double d) { return d; }

int main(void) {
  signed char c = -1;
  unsigned char u = c;
  short s = 40000;
  unsigned int m = UINT_MAX;
  long l = INT_MIN;
  float f = 16777216.0f;
  double d = 1e300;
  SHOW(u), SHOW(s), SHOW(m + 1), SHOW(m + 1L), SHOW(-1 < 0u),
      SHOW((char)200 < 0), SHOW(-l);
  SHOW(c >> 1), SHOW((unsigned)c >> 28), SHOW(1ull << 63 >> 62), SHOW(-7 / 2),
      SHOW(-7 % 3);
  SHOW(7u - 10 > 0), SHOW(sizeof(c + c)), SHOW(sizeof(f * d)), SHOW(SIZE),
      SHOW(CHOSEN);
  SHOW(f + 1 == f), SHOW((int)3.99), SHOW((int)-3.99f),
      SHOW((unsigned char)(int)257.5);
  SHOW(truth(0.1)), SHOW(narrow(70000)), SHOW(crc("phial")), SHOW(wrapped),
      SHOW(d * d > d);
  SHOW(0 * d != 0), SHOW((uint64_t)1.8e19), SHOW((double)UINT64_MAX > 1.8e19);
  SHOW(c++ + ++u), SHOW(c), SHOW(u), SHOW(~5), SHOW(!5), SHOW(- -5);
  s += 1.5, u -= 300, l <<= 3, m /= 3, c |= 0x70;
  SHOW(s), SHOW(u), SHOW(l), SHOW(m), SHOW(c);
  printf("%.17g %.9g %g %g\n", third, half(third), sqrt(2) + fabs(-0.5),
         d / 1e-300);
  printf("%g %g %g %g %g %g\n", floor(-2.5), ceil(-0.5), trunc(2.7), rint(2.5),
         fmin(third, d), fmaxf(half(third), 2));
  printf("%d %u %ld %lu %x %#o %5d|%-5d|%05d\n", -1, -1, -1L, -1L, -1, 8, 42,
         42, -42);
  printf("%c%c %.3s %10.3f %e\n", 'o', 'k', "abcdef", 3.14159, 12345.678);
  return SIZE;
}
