/* kernels.c: the kernels of bench/lib/kernels.lua, written by hand with Lua's
** interface.
*/
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "lauxlib.h"
#include "lua.h"

static int64_t collatz(int64_t limit) {
  int64_t total = 0;
  for (int64_t start = 1; start < limit; start++)
    for (uint64_t n = (uint64_t)start; n != 1; total++)
      n = (n & 1) == 0 ? n >> 1 : n * 3 + 1;
  return total;
}

static int64_t mandelbrot(int64_t n) {
  int64_t total = 0;
  double scale = 3.0 / (double)n;
  for (int64_t row = 0; row < n; row++) {
    double ci = (double)row * scale - 1.5;
    for (int64_t column = 0; column < n; column++) {
      double cr = (double)column * scale - 2.0, re = 0, im = 0;
      int64_t k = 0;
      while (re * re + im * im < 4.0 && k < 100) {
        double next = re * re - im * im + cr;
        im = re * im * 2.0 + ci;
        re = next;
        k++;
      }
      total += k;
    }
  }
  return total;
}

static uint8_t flags[2000001];

static int64_t sieve(int64_t n) {
  int64_t primes = 0;
  memset(flags, 1, (size_t)n + 1);
  for (int64_t i = 2; i <= n; i++)
    if (flags[i]) {
      primes++;
      for (int64_t j = i * i; j <= n; j += i) flags[j] = 0;
    }
  return primes;
}

enum { SIDE = 200 };
static double left[SIDE * SIDE], right[SIDE * SIDE], product[SIDE * SIDE];

static double matrix(int64_t n) {
  double trace = 0;
  for (int64_t i = 0; i < n * n; i++) {
    left[i] = (double)(i & 15);
    right[i] = (double)(i & 7);
  }
  for (int64_t i = 0; i < n; i++)
    for (int64_t j = 0; j < n; j++) {
      double sum = 0;
      for (int64_t k = 0; k < n; k++) sum += left[i * n + k] * right[k * n + j];
      product[i * n + j] = sum;
    }
  for (int64_t i = 0; i < n; i++) trace += product[i * n + i];
  return trace;
}

enum { BODIES = 5 };
typedef struct {
  double x, y, z, vx, vy, vz, mass;
} body;
static body bodies[BODIES];

static double nbody(int64_t steps) {
  for (int i = 0; i < BODIES; i++)
    bodies[i] = (body){i, i * i * 0.25, i * 0.5, 0, 0, 0, i + 1.0};
  for (int64_t step = 0; step < steps; step++) {
    for (int i = 0; i < BODIES; i++)
      for (int j = i + 1; j < BODIES; j++) {
        body *me = &bodies[i], *other = &bodies[j];
        double x = me->x - other->x, y = me->y - other->y, z = me->z - other->z;
        double squares = x * x + y * y + z * z;
        double pull = 0.001 / (squares * sqrt(squares));
        double mine = me->mass * pull, its = other->mass * pull;
        me->vx -= x * its;
        me->vy -= y * its;
        me->vz -= z * its;
        other->vx += x * mine;
        other->vy += y * mine;
        other->vz += z * mine;
      }
    for (int i = 0; i < BODIES; i++) {
      bodies[i].x += bodies[i].vx * 0.001;
      bodies[i].y += bodies[i].vy * 0.001;
      bodies[i].z += bodies[i].vz * 0.001;
    }
  }
  return bodies[0].x;
}

static int64_t fannkuch(int64_t n) {
  int64_t perm[16], first[16], counts[16];
  int64_t flips_most = 0, sum = 0, number = 0, r = n;
  for (int64_t i = 0; i < n; i++) first[i] = i;
  for (;; number++) {
    int64_t flips = 0, k;
    for (; r != 1; r--) counts[r - 1] = r;
    for (int64_t i = 0; i < n; i++) perm[i] = first[i];
    while ((k = perm[0]) != 0) {
      int64_t half = (k + 1) >> 1;
      for (int64_t i = 0; i < half; i++) {
        int64_t x = perm[i];
        perm[i] = perm[k - i];
        perm[k - i] = x;
      }
      flips++;
    }
    if (flips > flips_most) flips_most = flips;
    if ((number & 1) == 0)
      sum += flips;
    else
      sum -= flips;
    for (;; r++) {
      int64_t x;
      if (r == n) return sum * 100 + flips_most;
      x = first[0];
      for (int64_t i = 0; i < r; i++) first[i] = first[i + 1];
      first[r] = x;
      counts[r]--;
      if (counts[r] > 0) break;
    }
  }
}

static const uint32_t constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
    0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
    0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
    0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
    0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
    0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
    0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
    0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
    0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

#define ROTR(x, n) ((x) >> (n) | (x) << (32 - (n)))

static int64_t sha256(int64_t n) {
  uint32_t state[8], words[64];
  int64_t digest = 0;
  for (int i = 0; i < 8; i++) state[i] = (uint32_t)i + 1;
  for (int64_t block = 0; block < n; block++) {
    uint32_t a, b, c, d, e, f, g, h;
    for (int64_t t = 0; t < 16; t++) words[t] = (uint32_t)(block * 16 + t);
    for (int64_t t = 16; t < 64; t++) {
      uint32_t x = words[t - 15], y = words[t - 2];
      words[t] = (ROTR(y, 17) ^ ROTR(y, 19) ^ y >> 10) + words[t - 7] +
                 (ROTR(x, 7) ^ ROTR(x, 18) ^ x >> 3) + words[t - 16];
    }
    a = state[0], b = state[1], c = state[2], d = state[3];
    e = state[4], f = state[5], g = state[6], h = state[7];
    for (int64_t t = 0; t < 64; t++) {
      uint32_t t1 = h + (ROTR(e, 6) ^ ROTR(e, 11) ^ ROTR(e, 25)) +
                    ((e & f) ^ (~e & g)) + constants[t] + words[t];
      uint32_t t2 = (ROTR(a, 2) ^ ROTR(a, 13) ^ ROTR(a, 22)) +
                    ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1;
      d = c, c = b, b = a, a = t1 + t2;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
  for (int t = 0; t < 8; t++)
    digest = (int64_t)((uint64_t)digest * 31 + state[t]);
  return digest;
}

enum { ADD, SUB, MUL, REM, LESS, HALT };
typedef struct {
  uint8_t op, a, b, c;
} instruction;
static const instruction program[] = {
    {MUL, 5, 1, 1}, {ADD, 2, 2, 5},  {REM, 6, 2, 4},  {SUB, 2, 2, 6},
    {ADD, 1, 1, 3}, {LESS, 1, 0, 0}, {HALT, 2, 0, 0},
};

static int64_t vm(int64_t n) {
  int64_t r[8] = {n, 0, 0, 1, 7, 0, 0, 0};
  const instruction *at = program;
  for (;;) {
    switch (at->op) {
      case ADD:
        r[at->a] = r[at->b] + r[at->c], at++;
        break;
      case SUB:
        r[at->a] = r[at->b] - r[at->c], at++;
        break;
      case MUL:
        r[at->a] = r[at->b] * r[at->c], at++;
        break;
      case REM:
        r[at->a] = r[at->b] % r[at->c], at++;
        break;
      case LESS:
        if (r[at->a] < r[at->b])
          at = program + at->c;
        else
          at++;
        break;
      default:
        return r[at->a];
    }
  }
}

enum { DEPTH = 14 };
typedef struct node {
  struct node *left, *right;
} node;
static node pool[1 << (DEPTH + 1)];
static int64_t used;

static node *make(int64_t depth) {
  node *it = &pool[used++], *left = NULL, *right = NULL;
  if (depth > 0) {
    left = make(depth - 1);
    right = make(depth - 1);
  }
  it->left = left;
  it->right = right;
  return it;
}

static int64_t size(const node *it) {
  if (it == NULL) return 0;
  return size(it->left) + size(it->right) + 1;
}

static int64_t trees(int64_t n) {
  int64_t total = 0;
  for (int64_t round = 0; round < n; round++) {
    used = 0;
    total += size(make(DEPTH));
  }
  return total;
}

#define INTEGER(name)                                  \
  static int l_##name(lua_State *L) {                  \
    lua_pushinteger(L, name(luaL_checkinteger(L, 1))); \
    return 1;                                          \
  }
#define NUMBER(name)                                  \
  static int l_##name(lua_State *L) {                 \
    lua_pushnumber(L, name(luaL_checkinteger(L, 1))); \
    return 1;                                         \
  }
INTEGER(collatz)
INTEGER(mandelbrot)
INTEGER(sieve)
INTEGER(fannkuch)
INTEGER(sha256)
INTEGER(vm)
INTEGER(trees)
NUMBER(matrix)
NUMBER(nbody)

static int l_add(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)((lua_Unsigned)luaL_checkinteger(L, 1) +
                                   (lua_Unsigned)luaL_checkinteger(L, 2)));
  return 1;
}

LUAMOD_API int luaopen_kernels(lua_State *L);
int luaopen_kernels(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"collatz", l_collatz}, {"mandelbrot", l_mandelbrot},
      {"sieve", l_sieve},     {"matrix", l_matrix},
      {"nbody", l_nbody},     {"fannkuch", l_fannkuch},
      {"sha256", l_sha256},   {"vm", l_vm},
      {"trees", l_trees},     {"add", l_add},
      {NULL, NULL},
  };
  luaL_newlib(L, functions);
  return 1;
}
