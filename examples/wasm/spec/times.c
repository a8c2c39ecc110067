/* times.c: the processor time of each kernel, least of seven, in seconds; of
   kernels.c itself, or with -DTRANSLATED of what `main.lua kernels.wasm --c`
   has written. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#ifdef TRANSLATED
#define wasm_grow(bytes) 0
#include "kernels.wasm.c"
#else
#include "kernels.c"
#endif

#define TIME(kernel, n)                                     \
  do {                                                      \
    double least = 1e9;                                     \
    for (int i = 0; i < 7; i++) {                           \
      clock_t from = clock();                               \
      volatile double result = (double)kernel(n);           \
      double t = (double)(clock() - from) / CLOCKS_PER_SEC; \
      (void)result;                                         \
      if (t < least) least = t;                             \
    }                                                       \
    printf("%-10s %.4f\n", #kernel, least);                 \
  } while (0)

int main(void) {
#ifdef TRANSLATED
  wasm_init();
#endif
  TIME(sieve, 300);
  TIME(product, 30);
  TIME(checksum, 60);
  TIME(sorted, 65536);
  TIME(fibonacci, 32);
  TIME(mandelbrot, 500);
  TIME(mixed, 10000000);
  return 0;
}
