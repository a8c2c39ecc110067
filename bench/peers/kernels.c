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
      n = n % 2 == 0 ? n / 2 : n * 3 + 1;
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
  double at[3], v[3], mass;
} body;
static body bodies[BODIES];

static double nbody(int64_t steps) {
  for (int i = 0; i < BODIES; i++)
    bodies[i] = (body){{i, i * i * 0.25, i * 0.5}, {0, 0, 0}, i + 1.0};
  for (int64_t step = 0; step < steps; step++) {
    for (int i = 0; i < BODIES; i++)
      for (int j = i + 1; j < BODIES; j++) {
        body *me = &bodies[i], *other = &bodies[j];
        double d[3], squares = 0, pull, mine, its;
        for (int k = 0; k < 3; k++) {
          d[k] = me->at[k] - other->at[k];
          squares += d[k] * d[k];
        }
        pull = 0.001 / (squares * sqrt(squares));
        mine = me->mass * pull;
        its = other->mass * pull;
        for (int k = 0; k < 3; k++) {
          me->v[k] -= d[k] * its;
          other->v[k] += d[k] * mine;
        }
      }
    for (int i = 0; i < BODIES; i++)
      for (int k = 0; k < 3; k++) bodies[i].at[k] += bodies[i].v[k] * 0.001;
  }
  return bodies[0].at[0];
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
      {"collatz", l_collatz}, {"mandelbrot", l_mandelbrot}, {"sieve", l_sieve},
      {"matrix", l_matrix},   {"nbody", l_nbody},           {"add", l_add},
      {NULL, NULL},
  };
  luaL_newlib(L, functions);
  return 1;
}
