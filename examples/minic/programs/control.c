/* Control flow: goto, switch, loops, conditions. */
#include <stdio.h>

static int calls;
static int called(int result) { return calls++, result; }

static void copy(char *to, const char *from, int count) {
  int n = (count + 3) / 4;
  switch (count % 4) {
    case 0:
      do {
        *to++ = *from++;
        case 3:
          *to++ = *from++;
        case 2:
          *to++ = *from++;
        case 1:
          *to++ = *from++;
      } while (--n > 0);
  }
}

static int kind(int c) {
  switch (c) {
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
      return 1;
    default:
      if (c < 'a' || c > 'z') break;
      return 2;
    case ' ':
      return 3;
  }
  return 4;
}

static int collatz(unsigned n) {
  int steps = 0;
again:
  if (n == 1) goto done;
  steps++;
  if (n & 1) {
    n = 3 * n + 1;
    goto again;
  }
  n /= 2;
  goto again;
done:
  return steps;
}

/* A loop with two entries. */
static int two_entries(int n, int skip) {
  int i = 0, sum = 0;
  if (skip) goto middle;
  for (; i < n; i++) {
    sum += i;
  middle:
    sum += 100;
    if (sum > 1000) goto out;
  }
out:
  return sum;
}

int main(void) {
  char text[12] = {0};
  int i, j, found = 0;
  copy(text, "hello world", 11);
  printf("%s\n", text);
  for (i = 0; text[i]; i++) printf("%d", kind(text[i]));
  printf(" %d %d\n", kind('!'), collatz(27));
  printf("%d %d %d\n", two_entries(5, 0), two_entries(5, 1),
         two_entries(50, 1));
  for (i = 2;; i++) {
    for (j = 2; j < i; j++)
      if (i % j == 0) break;
    if (j < i) continue;
    if (++found == 10) break;
  }
  printf("%d\n", i);
  i = called(0) && called(1) || !called(1) || called(2);
  j = called(3) ? called(4), called(5) : called(6);
  printf("%d %d %d\n", i, j, calls);
  do {
    int i = 3;
    while (i-- > 0) found += i;
    if (found > 14) continue;
    found++;
  } while (found < 20);
  for (int i = 10, *p = &i; *p > 0; *p -= 3) found ^= i;
  printf("%d\n", found);
  switch (found & 0) {
    int never;
    case 1:
      never = 2;
      found = never;
  }
  printf("%s %d\n", __func__, (int)sizeof __func__);
  return found & 0x7F;
}
