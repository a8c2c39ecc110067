/* Variadic functions, lists of arguments that are passed on, data of the C library. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct pair {
  int a;
  double b;
};
typedef unsigned char (*narrow)(unsigned char, signed char);

static int sum(int n, ...) {
  va_list list, again;
  int s = 0;
  va_start(list, n);
  va_copy(again, list);
  for (int i = 0; i < n; i++) s += va_arg(list, int);
  for (int i = 0; i < n; i++) s += 2 * va_arg(again, int);
  va_end(list);
  va_end(again);
  return s;
}

/* The sum of arguments of types that letters tell. */
static double mixed(const char *what, ...) {
  va_list list;
  double s = 0;
  va_start(list, what);
  for (; *what; what++) {
    if (*what == 'd')
      s += va_arg(list, double);
    else if (*what == 'u')
      s += va_arg(list, unsigned);
    else if (*what == 'l')
      s += va_arg(list, long);
    else if (*what == 'p') {
      struct pair it = va_arg(list, struct pair);
      s += it.a + it.b;
    } else
      s += *va_arg(list, const char *);
  }
  va_end(list);
  return s;
}

static void say(FILE *file, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(file, format, list);
  va_end(list);
}

static const char *in(char *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsprintf(text + strlen(text), format, list);
  va_end(list);
  return text;
}

unsigned char mean(unsigned char a, signed char b) { return (a + b) / 2; }

int main(void) {
  char text[80] = "";
  struct pair it = {3, 4.5};
  float half = 0.5f;
  short narrow_one = -3;
  narrow at = mean;
  int (*out)(const char *format, ...) = printf;
  printf("%d %g\n", sum(3, 1, 2, 3),
         mixed("dulpcd", 1.5, 4000000000u, 3l, it, "A", half));
  say(stdout, "%d %s %g %ld %c %hd\n", narrow_one, "text", 2.5, 123456789012l,
      'x', narrow_one);
  puts(in(text, "%5.2f|%-5d|%05d|%x|%%|%u|%.2s", half, 42, 42, 255, -1, "abc"));
  puts(in(text, "%*d|%lu", 6, 7, -1l));
  fprintf(stdout, "%d %d\n", mean(250, 100), at(255, -1));
  out("%g %s %d\n", 2.5, "there", narrow_one);
  return 0;
}
