/* Kernels: as a module of WebAssembly by
     clang --target=wasm32 -O2 -fno-builtin -nostdlib -Wl,--no-entry -Wl,--export-dynamic
       -o kernels.wasm kernels.c
   and natively by any C compiler. Each gives one number of n rounds or elements. */
#include <stdint.h>

#ifdef __wasm__
#define EXPORT __attribute__((visibility("default")))
#else
#define EXPORT
#endif

#define SIZE 65536

static uint8_t bytes[SIZE];
static double cells[3][128 * 128];
static int32_t list[SIZE];

static uint32_t next_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

EXPORT int32_t sieve(int32_t n) {
  int32_t primes = 0;
  for (int32_t round = 0; round < n; round++) {
    primes = 0;
    for (int32_t i = 2; i < SIZE; i++) bytes[i] = 1;
    for (int32_t i = 2; i < SIZE; i++) {
      if (!bytes[i]) continue;
      primes++;
      for (int32_t j = 2 * i; j < SIZE; j += i) bytes[j] = 0;
    }
  }
  return primes;
}

EXPORT double product(int32_t n) {
  uint32_t seed = 1;
  for (int32_t i = 0; i < 128 * 128; i++) {
    cells[0][i] = next_random(&seed) / 16777216.0;
    cells[1][i] = next_random(&seed) / 16777216.0;
  }
  for (int32_t round = 0; round < n; round++)
    for (int32_t i = 0; i < 128; i++)
      for (int32_t j = 0; j < 128; j++) {
        double sum = 0;
        for (int32_t k = 0; k < 128; k++)
          sum += cells[0][128 * i + k] * cells[1][128 * k + j];
        cells[2][128 * i + j] = sum;
      }
  return cells[2][77] + cells[2][128 * 128 - 1];
}

EXPORT uint32_t checksum(int32_t n) {
  uint32_t crc = ~0u, seed = 2;
  for (int32_t i = 0; i < SIZE; i++) bytes[i] = (uint8_t)next_random(&seed);
  for (int32_t round = 0; round < n; round++)
    for (int32_t i = 0; i < SIZE; i++) {
      crc ^= bytes[i];
      for (int bit = 0; bit < 8; bit++)
        crc = crc >> 1 ^ (0xedb88320u & (0u - (crc & 1)));
    }
  return ~crc;
}

static int less(int32_t a, int32_t b) { return a < b; }
static int greater(int32_t a, int32_t b) { return a > b; }
static int (*volatile orders[])(int32_t, int32_t) = {less, greater};

static void sort(int32_t low, int32_t high, int (*before)(int32_t, int32_t)) {
  while (low < high) {
    int32_t pivot = list[(low + high) / 2], i = low, j = high;
    while (i <= j) {
      while (before(list[i], pivot)) i++;
      while (before(pivot, list[j])) j--;
      if (i <= j) {
        int32_t held = list[i];
        list[i++] = list[j];
        list[j--] = held;
      }
    }
    sort(low, j, before);
    low = i;
  }
}

EXPORT int64_t sorted(int32_t n) {
  uint32_t seed = 3;
  int64_t sum = 0;
  for (int32_t i = 0; i < n; i++)
    list[i] = (int32_t)next_random(&seed) - (1 << 23);
  sort(0, n - 1, orders[n & 1]);
  for (int32_t i = 0; i < n; i++) sum = sum * 31 + list[i];
  return sum;
}

EXPORT int64_t fibonacci(int32_t n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

EXPORT int32_t mandelbrot(int32_t n) {
  int32_t inside = 0;
  for (int32_t y = 0; y < n; y++)
    for (int32_t x = 0; x < n; x++) {
      double cx = 2.0 * x / n - 1.5, cy = 2.0 * y / n - 1.0, zx = 0, zy = 0;
      int32_t i = 0;
      for (; i < 50 && zx * zx + zy * zy < 4; i++) {
        double held = zx * zx - zy * zy + cx;
        zy = 2 * zx * zy + cy;
        zx = held;
      }
      inside += i == 50;
    }
  return inside;
}

EXPORT uint64_t mixed(int32_t n) {
  uint64_t h = 1469598103934665603u;
  for (int32_t i = 0; i < n; i++) {
    h = (h ^ (uint64_t)i) * 1099511628211u;
    h ^= h >> (i & 31);
    switch (h & 7) {
      case 0:
        h += 3;
        break;
      case 1:
        h -= (uint64_t)i;
        break;
      case 2:
        h = h << 7 | h >> 57;
        break;
      case 5:
        h ^= (uint64_t)((double)i * 1.5);
        break;
      default:
        break;
    }
  }
  return h;
}
