/* Structs and unions: passed, returned, assigned, nested; bit-fields; packed ones. */
#include <stdio.h>
#include <stddef.h>
#include <string.h>

typedef struct {
  int x, y;
} point;
struct rectangle {
  point from, to;
  char name[6];
};
union number {
  int i;
  float f;
  unsigned char bytes[8];
};
struct tagged {
  enum { INTEGER, REAL } kind;
  union {
    long i;
    double d;
  };
};
struct flags {
  unsigned a : 3;
  signed b : 5;
  unsigned : 0;
  unsigned c : 17;
  _Bool d : 1;
  long e : 40;
  unsigned long f : 31;
  unsigned long g : 32;
};
struct __attribute__((packed)) packed {
  char c;
  int i;
  short s[2];
  double d;
};
struct partly {
  char c;
  int i __attribute__((packed)), j;
  __attribute__((packed)) long k;
};

static point add(point a, point b) {
  a.x += b.x;
  a.y += b.y;
  return a;
}

static struct rectangle scaled(struct rectangle r, int k) {
  r.from = (point){r.from.x * k, r.from.y * k};
  r.to.x *= k, r.to.y *= k;
  strcpy(r.name, "big");
  return r;
}

static double value(const struct tagged *t) {
  return t->kind == REAL ? t->d : t->i;
}

int main(void) {
  point p = {1, 2}, q = add(p, add(p, (point){.y = 10}));
  struct rectangle r = {p, q, "small"}, s = scaled(r, 3), list[2] = {r, s};
  union number n = {.f = 1.5f};
  struct tagged t[] = {{INTEGER, .i = 7}, {REAL, .d = 2.25}};
  struct flags f = {7, -16, 99999, 1, -3, 4, 5};
  struct packed k = {'k', 123456, {7, -7}, 0.5};

  printf("%d %d %d %d %s %s\n", q.x, q.y, s.to.x, s.to.y, r.name, list[1].name);
  printf("%x %g %g\n", n.i, value(t), value(&t[1]));
  f.a += 2, f.b--, f.c ^= 0x1FFFF, f.d = f.a == 1, f.e *= 1000000;
  printf("%d %d %d %d %ld", f.a, f.b, f.c, f.d, (long)f.e);
  printf(" %d\n", f.b = 31);
  printf("%d %d %d\n", f.f - 7 < 0, f.g - 7 < 0, (int)sizeof(f.g + 0));
  k.i++, k.s[1] *= 2, k.d /= 4;
  printf("%c %d %d %g\n", k.c, k.i, k.s[1], k.d);
  printf("%d %d %d %d %d %d\n", (int)sizeof r, (int)sizeof t, (int)sizeof f,
         (int)sizeof k, (int)offsetof(struct rectangle, name),
         (int)offsetof(struct packed, d));
  printf("%d %d %d %d\n", (int)sizeof(struct partly),
         (int)offsetof(struct partly, i), (int)offsetof(struct partly, j),
         (int)offsetof(struct partly, k));
  list[0] = list[1] = p.x ? scaled(s, -1) : r;
  printf("%d %s\n", list[0].from.y, (p.x > 1 ? r : list[0]).name);
  return add(p, q).y;
}
