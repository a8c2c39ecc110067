/* longjmp: what setjmp's function knows afterwards. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

struct pair {
  int first, second;
};

static jmp_buf back;
static int depth;

static int doubled(int n) {
  if (n > 100) longjmp(back, n);
  return 2 * n;
}

/* What is not changed after setjmp keeps its value, also if it is a copy of
   what is changed, or was in a register. */
static int copies(int n) {
  int x = n * 3, y = x, z = y + 1;
  if (setjmp(back) == 0)
    for (;;) {
      z = doubled(x);
      x = z + n;
    }
  return y;
}

static int loop(int n) {
  int sum = n, before = 0, i;
  for (i = 0; i < 5; i++) {
    before = sum;
    if (!setjmp(back)) {
      int j;
      for (j = i; j < 10000; j++) sum = doubled(sum);
    }
    sum = before + i;
  }
  return sum;
}

/* What is volatile has its last value. */
static int counted(void) {
  volatile int count = 0;
  int n = setjmp(back);
  count++;
  if (n < 5) longjmp(back, n + 1);
  return count;
}

/* Structs, parameters and results that are structs, and arrays. */
static struct pair swapped(struct pair p, struct pair q, int a[static 2]) {
  struct pair r = {p.second, p.first};
  int text[] = {a[0], a[1]};
  switch (setjmp(back)) {
    case 0:
      p = r.first > 0 ? q : p;
      doubled(text[0] + 200);
    case 201:
      r.first += text[1];
  }
  p = q;
  return r.first > p.first ? r : p;
}

/* As an interpreter does it: a handler for each try, a function at an address. */
struct handler {
  struct handler *previous;
  jmp_buf state;
  volatile int status;
};
static struct handler *handlers;

static void raise_error(int status) {
  handlers->status = status;
  longjmp(handlers->state, 1);
}

static int protected(void (*f)(void *), void *argument) {
  int old = depth;
  struct handler h;
  h.status = 0;
  h.previous = handlers;
  handlers = &h;
  if (setjmp((&h)->state) == 0) f(argument);
  handlers = h.previous;
  depth = old;
  return h.status;
}

static void nested(void *argument) {
  int *left = argument;
  depth++;
  if ((*left)-- == 0) raise_error(7);
  int status = protected(nested, left);
  printf("%d: %d\n", depth, status);
  raise_error(status + 1);
}

/* longjmp(state, 0) gives 1. */
static int one(void) {
  jmp_buf state;
  switch (setjmp(state)) {
    case 0:
      longjmp(state, 0);
    case 1:
      return 1;
    default:
      return 2;
  }
}

int main(int argc, char **argv) {
  int left = 3, text[] = {1, 20};
  struct pair p = {argc, argc + 5}, q = {argc + 2, 9};
  printf("%d %d %d %d\n", copies(argc), loop(argc), counted(), one());
  p = swapped(p, q, text);
  printf("%d %d\n", p.first, p.second);
  printf("%d\n", protected(nested, &left));
  return 0;
}
